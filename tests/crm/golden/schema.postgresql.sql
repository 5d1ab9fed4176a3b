CREATE TABLE IF NOT EXISTS "survey_push" (
  "push" text NOT NULL,
  "key" text NOT NULL,
  "state" text NOT NULL,
  "reason" text,
  "batch" text,
  "customer_id" bigint,
  "attempts" bigint NOT NULL,
  "owner" text,
  "email" text,
  "transaction_date" timestamptz,
  "test" boolean,
  "doubt_since" timestamptz,
  "person" text,
  "not_before" timestamptz,
  "seen_at" timestamptz NOT NULL,
  "changed_at" timestamptz NOT NULL,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("push", "key")
);

CREATE TABLE IF NOT EXISTS "survey_push_event" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "push" text NOT NULL,
  "key" text NOT NULL,
  "at" timestamptz NOT NULL,
  "state" text NOT NULL,
  "batch" text,
  "detail" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_batch" (
  "id" text NOT NULL,
  "push" text NOT NULL,
  "owner" text NOT NULL,
  "rows" bigint NOT NULL,
  "sent_at" timestamptz NOT NULL,
  "outcome" text,
  "http_status" bigint,
  "detail" text,
  "test" boolean NOT NULL,
  "settled_at" timestamptz,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_person" (
  "person" text NOT NULL,
  "kind" text NOT NULL,
  "ref" text NOT NULL,
  "at" timestamptz NOT NULL,
  PRIMARY KEY ("person", "kind", "ref")
);

CREATE TABLE IF NOT EXISTS "survey_seal" (
  "name" text NOT NULL,
  "value" text NOT NULL,
  PRIMARY KEY ("name")
);

CREATE TABLE IF NOT EXISTS "survey_brake" (
  "push" text NOT NULL,
  "fingerprint" text NOT NULL,
  "allowance" bigint NOT NULL,
  "passed" bigint NOT NULL,
  "reason" text,
  "since" timestamptz,
  "service" text,
  "query" text,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_release" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "push" text NOT NULL,
  "at" timestamptz NOT NULL,
  "rows" bigint NOT NULL,
  "decided_by" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_cursor" (
  "list" text NOT NULL,
  "walk" text NOT NULL,
  "window_from" timestamptz,
  "window_to" timestamptz,
  "cursor" text,
  "watermark" timestamptz,
  "pages" bigint NOT NULL,
  "restarts" bigint NOT NULL,
  "finished_at" timestamptz,
  "ignored" text,
  "begun_at" timestamptz,
  "whole_to" timestamptz,
  PRIMARY KEY ("list", "walk")
);

CREATE TABLE IF NOT EXISTS "survey_write" (
  "list" text NOT NULL,
  "target" text NOT NULL,
  "written" bigint NOT NULL,
  "matched_none" bigint NOT NULL,
  "matched_many" bigint NOT NULL,
  "unfit" bigint NOT NULL,
  PRIMARY KEY ("list", "target")
);

CREATE TABLE IF NOT EXISTS "survey_lease" (
  "name" text NOT NULL,
  "owner" text NOT NULL,
  "fence" bigint NOT NULL,
  "expires_at" timestamptz NOT NULL,
  "session" text,
  PRIMARY KEY ("name")
);

CREATE TABLE IF NOT EXISTS "survey_verify" (
  "push" text NOT NULL,
  "at" timestamptz NOT NULL,
  "eligible" bigint NOT NULL,
  "unaccounted" bigint NOT NULL,
  "differences" bigint,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_sweep" (
  "push" text NOT NULL,
  "began_at" timestamptz NOT NULL,
  "ended_at" timestamptz NOT NULL,
  "rows" bigint NOT NULL,
  "within" bigint,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_pace" (
  "service" text NOT NULL,
  "owner" text NOT NULL,
  "rate" bigint NOT NULL,
  "edge" bigint NOT NULL,
  "share" bigint NOT NULL,
  "refused_at" timestamptz,
  "held_until" timestamptz,
  "seen_at" timestamptz NOT NULL,
  "live_until" timestamptz NOT NULL,
  "waiting" text,
  "read_rate" bigint,
  "read_edge" bigint,
  PRIMARY KEY ("service", "owner")
);

CREATE TABLE IF NOT EXISTS "survey_enumeration" (
  "enumeration" text NOT NULL,
  "value" text NOT NULL,
  "number" bigint,
  "name" text,
  "tries" bigint NOT NULL,
  PRIMARY KEY ("enumeration", "value")
);

CREATE TABLE IF NOT EXISTS "survey_unreadable" (
  "list" text NOT NULL,
  "record" text NOT NULL,
  "reason" text NOT NULL,
  "raw" text,
  "seen_at" timestamptz NOT NULL,
  "person" text,
  "hides" text,
  PRIMARY KEY ("list", "record")
);

CREATE TABLE IF NOT EXISTS "survey_write_mark" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "reached" text,
  "through" bigint NOT NULL,
  PRIMARY KEY ("list", "mark")
);

CREATE TABLE IF NOT EXISTS "survey_unmatched" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "record" text NOT NULL,
  "tried_at" timestamptz NOT NULL,
  "since" timestamptz,
  PRIMARY KEY ("list", "mark", "record")
);

CREATE TABLE IF NOT EXISTS "survey_unwritten" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "record" text NOT NULL,
  "column" text NOT NULL,
  "target" text NOT NULL,
  "reason" text NOT NULL,
  "since" timestamptz NOT NULL,
  PRIMARY KEY ("list", "mark", "record", "column")
);

CREATE TABLE IF NOT EXISTS "survey_write_queue" (
  "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  "list" text NOT NULL,
  "record" text NOT NULL,
  "queued_at" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_count" (
  "push" text NOT NULL,
  "counted" text NOT NULL,
  "rows" bigint NOT NULL,
  "before" timestamptz NOT NULL,
  PRIMARY KEY ("push", "counted")
);

CREATE TABLE IF NOT EXISTS "survey_listed" (
  "push" text NOT NULL,
  "key" text NOT NULL,
  "customer_id" bigint NOT NULL,
  "person" text,
  "transaction_date" timestamptz,
  "seen_at" timestamptz NOT NULL,
  "opted_out" boolean,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("push", "key", "customer_id")
);

CREATE TABLE IF NOT EXISTS "survey_invitation" (
  "customer_id" bigint NOT NULL,
  "push" text,
  "key" text,
  "stage" text NOT NULL,
  "stage_at" timestamptz,
  "transaction_date" timestamptz,
  "invited_at" timestamptz,
  "opened_at" timestamptz,
  "begun_at" timestamptz,
  "finished_at" timestamptz,
  "closed_at" timestamptz,
  "bounced_at" timestamptz,
  "opted_out_at" timestamptz,
  "last_activity" timestamptz,
  "seconds_to_answer" bigint,
  "mail_domain" text,
  "opened" bigint NOT NULL,
  "begun" bigint NOT NULL,
  "finished" bigint NOT NULL,
  "closed" bigint NOT NULL,
  "bounced" bigint NOT NULL,
  "opted_out" bigint NOT NULL,
  "test" bigint NOT NULL,
  "second_feedback" bigint NOT NULL,
  "contact_requested" bigint NOT NULL,
  "seen_at" timestamptz,
  "segment_1" text,
  "segment_2" text,
  "segment_3" text,
  "segment_4" text,
  "segment_5" text,
  "segment_6" text,
  "segment_7" text,
  "segment_8" text,
  PRIMARY KEY ("customer_id")
);

CREATE TABLE IF NOT EXISTS "survey_customer_history" (
  "customer_id" bigint NOT NULL,
  "version" bigint NOT NULL,
  "seen_at" timestamptz NOT NULL,
  "stage" text NOT NULL,
  "bounced" bigint NOT NULL,
  "opted_out" bigint NOT NULL,
  PRIMARY KEY ("customer_id", "version")
);

CREATE TABLE IF NOT EXISTS "survey_bounce" (
  "bouncer_id" text NOT NULL,
  "push" text,
  "key" text,
  "kind" text NOT NULL,
  "mail_domain" text,
  "bounced_at" timestamptz,
  "transaction_date" timestamptz,
  "test" bigint NOT NULL,
  PRIMARY KEY ("bouncer_id")
);

CREATE TABLE IF NOT EXISTS "survey_rating_match" (
  "rating_id" bigint NOT NULL,
  "push" text,
  "key" text,
  PRIMARY KEY ("rating_id")
);

CREATE TABLE IF NOT EXISTS "survey_question" (
  "id" bigint NOT NULL,
  "words" text,
  "kind" text NOT NULL,
  "low" bigint,
  "high" bigint,
  "first_seen" timestamptz NOT NULL,
  "last_seen" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_report_column" (
  "position" bigint NOT NULL,
  "name" text NOT NULL,
  "kind" text NOT NULL,
  "source" bigint NOT NULL,
  "occurrence" bigint NOT NULL,
  PRIMARY KEY ("position")
);

CREATE TABLE IF NOT EXISTS "survey_report_state" (
  "name" text NOT NULL,
  "value" text,
  PRIMARY KEY ("name")
);

CREATE TABLE IF NOT EXISTS "survey_customer" (
  "id" bigint NOT NULL,
  "access_key" text,
  "questionnaire_id" text,
  "status_code" bigint,
  "status_name" text,
  "scheduled_invitation_date" timestamptz,
  "date_invited" timestamptz,
  "date_reminded" timestamptz,
  "survey_finished_date" timestamptz,
  "open_date" timestamptz,
  "last_activity_date" timestamptz,
  "completion_time_in_seconds" bigint,
  "has_second_feed_back" boolean,
  "is_second_feed_back" boolean,
  "second_feedback_information_original_customer_id" bigint,
  "second_feedback_information_second_feedback_customer_id" bigint,
  "batch_id" bigint,
  "batch_is_test" boolean,
  "batch_type_batch" text,
  "batch_created_date" timestamptz,
  "opted_out" boolean,
  "external_unique_id" text,
  "opted_out_date" timestamptz,
  "user_agent" text,
  "priority" bigint,
  "partially_answered_reminded_date" timestamptz,
  "previous_id" bigint,
  "overtime" boolean,
  "form_status" bigint,
  "form_status_name" text,
  "review_status" bigint,
  "review_status_name" text,
  "review_approved_date" timestamptz,
  "email" text,
  "transaction_date" timestamptz,
  "survey_closed_date" timestamptz,
  "language" text,
  "is_contact_requested" boolean,
  "is_concept" boolean,
  "digest" text NOT NULL,
  "changed_at" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_answer" (
  "customer_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "question_id" text,
  "base_question_id" bigint,
  "question_description" text,
  "question_text" text,
  "page_repetition" bigint,
  "section_repetition" bigint,
  "is_encrypted" boolean,
  "certificate_thumbprint" text,
  "encryption_key" text,
  "text" text,
  "date_answered" timestamptz,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_category" (
  "customer_id" bigint NOT NULL,
  "answer_position" bigint NOT NULL,
  "position" bigint NOT NULL,
  "category" text,
  "sub_category" text,
  "sentiment" bigint,
  "sentiment_name" text,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_scale_position" (
  "customer_id" bigint NOT NULL,
  "answer_position" bigint NOT NULL,
  "position" bigint NOT NULL,
  "id" bigint,
  "label" text,
  "value" bigint,
  "ranking" bigint,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_file" (
  "customer_id" bigint NOT NULL,
  "answer_position" bigint NOT NULL,
  "position" bigint NOT NULL,
  "id" bigint,
  "answer_id" bigint,
  "file_name" text,
  "file_size" bigint,
  "file_type" text,
  "data" bytea,
  "is_encrypted" boolean,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_customer_note" (
  "customer_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "date" timestamptz,
  "user" text,
  "note" text,
  "type" bigint,
  "type_name" text,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_customer_data" (
  "customer_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "customer_data_column_id" bigint,
  "name" text,
  "value" text,
  "is_encrypted" boolean,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating" (
  "id" bigint NOT NULL,
  "transaction_date" timestamptz,
  "finished_date" timestamptz,
  "review_approved_date" timestamptz,
  "digest" text NOT NULL,
  "changed_at" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_rating_data" (
  "rating_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "display_name" text,
  "value" text,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating_answer" (
  "rating_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "question_id" bigint,
  "description" text,
  "text" text,
  "score" bigint,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating_reaction" (
  "rating_id" bigint NOT NULL,
  "position" bigint NOT NULL,
  "user_name" text,
  "date" timestamptz,
  "reaction" text,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_bouncer" (
  "id" text NOT NULL,
  "reason" text,
  "exception" text,
  "customer_status" text,
  "date_sent" timestamptz,
  "date_reminded" timestamptz,
  "email" text,
  "transaction_date" timestamptz,
  "survey_closed_date" timestamptz,
  "language" text,
  "is_contact_requested" boolean,
  "is_concept" boolean,
  "digest" text NOT NULL,
  "changed_at" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_bouncer_data" (
  "bouncer_id" text NOT NULL,
  "position" bigint NOT NULL,
  "customer_data_column_id" bigint,
  "name" text,
  "value" text,
  "is_encrypted" boolean,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("bouncer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_status" (
  "code" bigint NOT NULL,
  "name" text,
  "digest" text NOT NULL,
  "changed_at" timestamptz NOT NULL,
  PRIMARY KEY ("code")
);

CREATE TABLE IF NOT EXISTS "survey_data_column" (
  "id" bigint NOT NULL,
  "required" boolean,
  "archived" boolean,
  "name" text,
  "display_name" text,
  "digest" text NOT NULL,
  "changed_at" timestamptz NOT NULL,
  PRIMARY KEY ("id")
);

CREATE INDEX IF NOT EXISTS "survey_push_by_state" ON "survey_push" ("push", "state", "changed_at");

CREATE INDEX IF NOT EXISTS "survey_push_by_batch" ON "survey_push" ("batch");

CREATE INDEX IF NOT EXISTS "survey_push_by_person" ON "survey_push" ("person");

CREATE INDEX IF NOT EXISTS "survey_push_event_by_key" ON "survey_push_event" ("push", "key");

CREATE INDEX IF NOT EXISTS "survey_listed_by_person" ON "survey_listed" ("person");

CREATE INDEX IF NOT EXISTS "survey_batch_by_time" ON "survey_batch" ("push", "sent_at");

CREATE INDEX IF NOT EXISTS "survey_write_queue_by_list" ON "survey_write_queue" ("list", "id");

CREATE INDEX IF NOT EXISTS "survey_unwritten_by_reason" ON "survey_unwritten" ("list", "target", "column", "reason");

CREATE INDEX IF NOT EXISTS "survey_batch_by_outcome" ON "survey_batch" ("push", "outcome", "sent_at");

CREATE INDEX IF NOT EXISTS "survey_invitation_by_key" ON "survey_invitation" ("push", "key");

CREATE INDEX IF NOT EXISTS "survey_bounce_by_key" ON "survey_bounce" ("push", "key");

CREATE INDEX IF NOT EXISTS "survey_rating_match_by_key" ON "survey_rating_match" ("push", "key");

