UPDATE `sales`.`orders` SET `score` = :p1, `at "x"` = :p2 WHERE `id` = :p3 AND `code` = :p4 AND (NOT (`score` <=> :p5) OR NOT (`at "x"` <=> :p6))

SELECT COUNT(*) FROM `sales`.`orders` WHERE `id` = :p1 AND `code` = :p2
