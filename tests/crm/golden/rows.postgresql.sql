INSERT INTO "survey_t" ("id", "position", "truth", "amount", "words", "name", "at", "content") SELECT * FROM unnest(CAST(:p1 AS bigint[]), CAST(:p2 AS bigint[]), CAST(:p3 AS boolean[]), CAST(:p4 AS numeric[]), CAST(:p5 AS text[]), CAST(:p6 AS text[]), CAST(:p7 AS timestamptz[]), CAST(:p8 AS bytea[]))

INSERT INTO "survey_t" ("id", "position", "truth", "amount", "words", "name", "at", "content") SELECT * FROM unnest(CAST(:p1 AS bigint[]), CAST(:p2 AS bigint[]), CAST(:p3 AS boolean[]), CAST(:p4 AS numeric[]), CAST(:p5 AS text[]), CAST(:p6 AS text[]), CAST(:p7 AS timestamptz[]), CAST(:p8 AS bytea[])) ON CONFLICT ("id", "position") DO UPDATE SET "truth" = excluded."truth", "amount" = excluded."amount", "words" = excluded."words", "name" = excluded."name", "at" = excluded."at", "content" = excluded."content"

DELETE … WHERE "id" = ANY(CAST(:p1 AS bigint[]))

SELECT … ORDER BY a LIMIT 5
