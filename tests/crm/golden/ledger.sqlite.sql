INSERT INTO "survey_push_event" ("push", "key", "at", "state", "batch", "detail") SELECT "push", "key", "changed_at", "state", "batch", "reason" FROM "survey_push" WHERE "push" = :p1 AND "key" = :p2

INSERT INTO "survey_batch" ("id", "push", "owner", "rows", "sent_at", "test", "service", "correlate") VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8)

UPDATE "survey_batch" SET "outcome" = :p1, "http_status" = :p2, "detail" = :p3, "settled_at" = :p4 WHERE "id" = :p5

UPDATE "survey_push" SET "doubt_since" = (SELECT MAX(e."at") FROM "survey_push_event" e WHERE e."push" = "survey_push"."push" AND e."key" = "survey_push"."key" AND e."state" = 'in_doubt') WHERE "push" = :p1 AND "key" = :p2 AND "state" IN ('sent') AND "customer_id" IS NULL AND "reason" LIKE 'it had arrived, decided by %' AND NOT EXISTS (SELECT 1 FROM "survey_batch" b WHERE b."id" = "batch" AND b."outcome" = 'accepted')

INSERT INTO "survey_push" ("push", "key", "state", "reason", "batch", "attempts", "owner", "email", "transaction_date", "person", "not_before", "test", "seen_at", "changed_at") VALUES (:p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12, :p13, :p14) ON CONFLICT DO NOTHING

UPDATE "survey_push" SET "state" = :p1, "reason" = :p2, "batch" = :p3, "attempts" = "attempts" + :p4, "owner" = :p5, "email" = :p6, "transaction_date" = :p7, "person" = COALESCE(:p8, "person"), "not_before" = :p9, "test" = :p10, "changed_at" = :p11 WHERE "push" = :p12 AND "key" = :p13 AND "state" = 'pending'

UPDATE "survey_push" SET "state" = :p1, "reason" = :p2, "owner" = NULL, "customer_id" = COALESCE(:p3, "customer_id"), "email" = NULL, "transaction_date" = NULL, "doubt_since" = NULL, "changed_at" = :p4 WHERE "push" = :p5 AND "key" = :p6 AND "state" IN ('in_doubt')

UPDATE "survey_push" SET "state" = :p1, "reason" = :p2, "owner" = NULL, "customer_id" = COALESCE(:p3, "customer_id"), "doubt_since" = COALESCE("doubt_since", :p4), "changed_at" = :p5 WHERE "push" = :p6 AND "key" = :p7 AND "state" IN ('claimed') AND "batch" = :p8

UPDATE "survey_push" SET "state" = :p1, "reason" = :p2, "owner" = NULL, "customer_id" = COALESCE(:p3, "customer_id"), "doubt_since" = COALESCE("doubt_since", :p4), "changed_at" = :p5 WHERE "push" = :p6 AND "key" = :p7 AND "state" IN ('sent') AND "customer_id" IS NULL AND "reason" LIKE 'it had arrived, decided by %' AND NOT EXISTS (SELECT 1 FROM "survey_batch" b WHERE b."id" = "batch" AND b."outcome" = 'accepted')
