INSERT INTO "survey_t" ("id", "position", "truth", "amount", "words", "name", "at", "content") VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8)

INSERT INTO "survey_t" ("id", "position", "truth", "amount", "words", "name", "at", "content") VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8) ON CONFLICT ("id", "position") DO UPDATE SET "truth" = excluded."truth", "amount" = excluded."amount", "words" = excluded."words", "name" = excluded."name", "at" = excluded."at", "content" = excluded."content"

DELETE … WHERE "id" IN (:p1, :p2, :p3)

SELECT … ORDER BY a LIMIT 5
