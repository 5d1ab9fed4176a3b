INSERT INTO `survey_t` (`id`, `position`, `truth`, `amount`, `words`, `name`, `at`, `content`) VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8)

INSERT INTO `survey_t` (`id`, `position`, `truth`, `amount`, `words`, `name`, `at`, `content`) VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8) ON DUPLICATE KEY UPDATE `truth` = VALUES(`truth`), `amount` = VALUES(`amount`), `words` = VALUES(`words`), `name` = VALUES(`name`), `at` = VALUES(`at`), `content` = VALUES(`content`)

DELETE … WHERE `id` IN (:p1, :p2, :p3)

SELECT … ORDER BY a LIMIT 5
