UPDATE `sales`.`orders` SET `score` = :p1, `at "x"` = CAST(:p2 AS UNSIGNED) WHERE `id` = :p3 AND `code` = :p4 AND (NOT (`score` <=> :p5) OR NOT (`at "x"` <=> CAST(:p6 AS UNSIGNED)))

SELECT COUNT(*), COUNT(CASE WHEN NOT (`score` <=> :p1) OR NOT (`at "x"` <=> CAST(:p2 AS UNSIGNED)) THEN 1 END) FROM `sales`.`orders` WHERE `id` = :p3 AND `code` = :p4
