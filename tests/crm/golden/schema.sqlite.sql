CREATE TABLE IF NOT EXISTS "survey_push" (
  "push" text NOT NULL,
  "key" text NOT NULL,
  "state" text NOT NULL,
  "reason" text,
  "batch" text,
  "customer_id" integer,
  "attempts" integer NOT NULL,
  "owner" text,
  "email" text,
  "transaction_date" text,
  "test" integer,
  "doubt_since" text,
  "person" text,
  "not_before" text,
  "seen_at" text NOT NULL,
  "changed_at" text NOT NULL,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("push", "key")
);

CREATE TABLE IF NOT EXISTS "survey_push_event" (
  "id" integer NOT NULL,
  "push" text NOT NULL,
  "key" text NOT NULL,
  "at" text NOT NULL,
  "state" text NOT NULL,
  "batch" text,
  "detail" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_batch" (
  "id" text NOT NULL,
  "push" text NOT NULL,
  "owner" text NOT NULL,
  "rows" integer NOT NULL,
  "sent_at" text NOT NULL,
  "outcome" text,
  "http_status" integer,
  "detail" text,
  "test" integer NOT NULL,
  "settled_at" text,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_person" (
  "person" text NOT NULL,
  "kind" text NOT NULL,
  "ref" text NOT NULL,
  "at" text NOT NULL,
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
  "allowance" integer NOT NULL,
  "passed" integer NOT NULL,
  "reason" text,
  "since" text,
  "service" text,
  "query" text,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_release" (
  "id" integer NOT NULL,
  "push" text NOT NULL,
  "at" text NOT NULL,
  "rows" integer NOT NULL,
  "decided_by" text,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_cursor" (
  "list" text NOT NULL,
  "walk" text NOT NULL,
  "window_from" text,
  "window_to" text,
  "cursor" text,
  "watermark" text,
  "pages" integer NOT NULL,
  "restarts" integer NOT NULL,
  "finished_at" text,
  "ignored" text,
  "begun_at" text,
  "whole_to" text,
  PRIMARY KEY ("list", "walk")
);

CREATE TABLE IF NOT EXISTS "survey_write" (
  "list" text NOT NULL,
  "target" text NOT NULL,
  "written" integer NOT NULL,
  "matched_none" integer NOT NULL,
  "matched_many" integer NOT NULL,
  "unfit" integer NOT NULL,
  PRIMARY KEY ("list", "target")
);

CREATE TABLE IF NOT EXISTS "survey_lease" (
  "name" text NOT NULL,
  "owner" text NOT NULL,
  "fence" integer NOT NULL,
  "expires_at" text NOT NULL,
  "session" text,
  PRIMARY KEY ("name")
);

CREATE TABLE IF NOT EXISTS "survey_verify" (
  "push" text NOT NULL,
  "at" text NOT NULL,
  "eligible" integer NOT NULL,
  "unaccounted" integer NOT NULL,
  "differences" integer,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_sweep" (
  "push" text NOT NULL,
  "began_at" text NOT NULL,
  "ended_at" text NOT NULL,
  "rows" integer NOT NULL,
  "within" integer,
  PRIMARY KEY ("push")
);

CREATE TABLE IF NOT EXISTS "survey_pace" (
  "service" text NOT NULL,
  "owner" text NOT NULL,
  "rate" integer NOT NULL,
  "edge" integer NOT NULL,
  "share" integer NOT NULL,
  "refused_at" text,
  "held_until" text,
  "seen_at" text NOT NULL,
  "live_until" text NOT NULL,
  "waiting" text,
  "read_rate" integer,
  "read_edge" integer,
  PRIMARY KEY ("service", "owner")
);

CREATE TABLE IF NOT EXISTS "survey_enumeration" (
  "enumeration" text NOT NULL,
  "value" text NOT NULL,
  "number" integer,
  "name" text,
  "tries" integer NOT NULL,
  PRIMARY KEY ("enumeration", "value")
);

CREATE TABLE IF NOT EXISTS "survey_unreadable" (
  "list" text NOT NULL,
  "record" text NOT NULL,
  "reason" text NOT NULL,
  "raw" text,
  "seen_at" text NOT NULL,
  "person" text,
  "hides" text,
  PRIMARY KEY ("list", "record")
);

CREATE TABLE IF NOT EXISTS "survey_write_mark" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "reached" text,
  "through" integer NOT NULL,
  PRIMARY KEY ("list", "mark")
);

CREATE TABLE IF NOT EXISTS "survey_unmatched" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "record" text NOT NULL,
  "tried_at" text NOT NULL,
  "since" text,
  PRIMARY KEY ("list", "mark", "record")
);

CREATE TABLE IF NOT EXISTS "survey_unwritten" (
  "list" text NOT NULL,
  "mark" text NOT NULL,
  "record" text NOT NULL,
  "column" text NOT NULL,
  "target" text NOT NULL,
  "reason" text NOT NULL,
  "since" text NOT NULL,
  PRIMARY KEY ("list", "mark", "record", "column")
);

CREATE TABLE IF NOT EXISTS "survey_write_queue" (
  "id" integer NOT NULL,
  "list" text NOT NULL,
  "record" text NOT NULL,
  "queued_at" text NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_count" (
  "push" text NOT NULL,
  "counted" text NOT NULL,
  "rows" integer NOT NULL,
  "before" text NOT NULL,
  PRIMARY KEY ("push", "counted")
);

CREATE TABLE IF NOT EXISTS "survey_listed" (
  "push" text NOT NULL,
  "key" text NOT NULL,
  "customer_id" integer NOT NULL,
  "person" text,
  "transaction_date" text,
  "seen_at" text NOT NULL,
  "opted_out" integer,
  "service" text,
  "correlate" text,
  PRIMARY KEY ("push", "key", "customer_id")
);

CREATE TABLE IF NOT EXISTS "survey_invitation" (
  "customer_id" integer NOT NULL,
  "push" text,
  "key" text,
  "stage" text NOT NULL,
  "stage_at" text,
  "transaction_date" text,
  "invited_at" text,
  "opened_at" text,
  "begun_at" text,
  "finished_at" text,
  "closed_at" text,
  "bounced_at" text,
  "opted_out_at" text,
  "last_activity" text,
  "seconds_to_answer" integer,
  "mail_domain" text,
  "opened" integer NOT NULL,
  "begun" integer NOT NULL,
  "finished" integer NOT NULL,
  "closed" integer NOT NULL,
  "bounced" integer NOT NULL,
  "opted_out" integer NOT NULL,
  "test" integer NOT NULL,
  "second_feedback" integer NOT NULL,
  "contact_requested" integer NOT NULL,
  "seen_at" text,
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
  "customer_id" integer NOT NULL,
  "version" integer NOT NULL,
  "seen_at" text NOT NULL,
  "stage" text NOT NULL,
  "bounced" integer NOT NULL,
  "opted_out" integer NOT NULL,
  PRIMARY KEY ("customer_id", "version")
);

CREATE TABLE IF NOT EXISTS "survey_bounce" (
  "bouncer_id" text NOT NULL,
  "push" text,
  "key" text,
  "kind" text NOT NULL,
  "mail_domain" text,
  "bounced_at" text,
  "transaction_date" text,
  "test" integer NOT NULL,
  PRIMARY KEY ("bouncer_id")
);

CREATE TABLE IF NOT EXISTS "survey_rating_match" (
  "rating_id" integer NOT NULL,
  "push" text,
  "key" text,
  PRIMARY KEY ("rating_id")
);

CREATE TABLE IF NOT EXISTS "survey_question" (
  "id" integer NOT NULL,
  "words" text,
  "kind" text NOT NULL,
  "low" integer,
  "high" integer,
  "first_seen" text NOT NULL,
  "last_seen" text NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_report_column" (
  "position" integer NOT NULL,
  "name" text NOT NULL,
  "kind" text NOT NULL,
  "source" integer NOT NULL,
  "occurrence" integer NOT NULL,
  PRIMARY KEY ("position")
);

CREATE TABLE IF NOT EXISTS "survey_report_state" (
  "name" text NOT NULL,
  "value" text,
  PRIMARY KEY ("name")
);

CREATE TABLE IF NOT EXISTS "survey_customer" (
  "id" integer NOT NULL,
  "access_key" text,
  "questionnaire_id" text,
  "status_code" integer,
  "status_name" text,
  "scheduled_invitation_date" text,
  "date_invited" text,
  "date_reminded" text,
  "survey_finished_date" text,
  "open_date" text,
  "last_activity_date" text,
  "completion_time_in_seconds" integer,
  "has_second_feed_back" integer,
  "is_second_feed_back" integer,
  "second_feedback_information_original_customer_id" integer,
  "second_feedback_information_second_feedback_customer_id" integer,
  "batch_id" integer,
  "batch_is_test" integer,
  "batch_type_batch" text,
  "batch_created_date" text,
  "opted_out" integer,
  "external_unique_id" text,
  "opted_out_date" text,
  "user_agent" text,
  "priority" integer,
  "partially_answered_reminded_date" text,
  "previous_id" integer,
  "overtime" integer,
  "form_status" integer,
  "form_status_name" text,
  "review_status" integer,
  "review_status_name" text,
  "review_approved_date" text,
  "email" text,
  "transaction_date" text,
  "survey_closed_date" text,
  "language" text,
  "is_contact_requested" integer,
  "is_concept" integer,
  "digest" text NOT NULL,
  "changed_at" text NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_answer" (
  "customer_id" integer NOT NULL,
  "position" integer NOT NULL,
  "question_id" text,
  "base_question_id" integer,
  "question_description" text,
  "question_text" text,
  "page_repetition" integer,
  "section_repetition" integer,
  "is_encrypted" integer,
  "certificate_thumbprint" text,
  "encryption_key" text,
  "text" text,
  "date_answered" text,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_category" (
  "customer_id" integer NOT NULL,
  "answer_position" integer NOT NULL,
  "position" integer NOT NULL,
  "category" text,
  "sub_category" text,
  "sentiment" integer,
  "sentiment_name" text,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_scale_position" (
  "customer_id" integer NOT NULL,
  "answer_position" integer NOT NULL,
  "position" integer NOT NULL,
  "id" integer,
  "label" text,
  "value" integer,
  "ranking" integer,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_answer_file" (
  "customer_id" integer NOT NULL,
  "answer_position" integer NOT NULL,
  "position" integer NOT NULL,
  "id" integer,
  "answer_id" integer,
  "file_name" text,
  "file_size" integer,
  "file_type" text,
  "data" blob,
  "is_encrypted" integer,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("customer_id", "answer_position", "position")
);

CREATE TABLE IF NOT EXISTS "survey_customer_note" (
  "customer_id" integer NOT NULL,
  "position" integer NOT NULL,
  "date" text,
  "user" text,
  "note" text,
  "type" integer,
  "type_name" text,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_customer_data" (
  "customer_id" integer NOT NULL,
  "position" integer NOT NULL,
  "customer_data_column_id" integer,
  "name" text,
  "value" text,
  "is_encrypted" integer,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("customer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating" (
  "id" integer NOT NULL,
  "transaction_date" text,
  "finished_date" text,
  "review_approved_date" text,
  "digest" text NOT NULL,
  "changed_at" text NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_rating_data" (
  "rating_id" integer NOT NULL,
  "position" integer NOT NULL,
  "display_name" text,
  "value" text,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating_answer" (
  "rating_id" integer NOT NULL,
  "position" integer NOT NULL,
  "question_id" integer,
  "description" text,
  "text" text,
  "score" integer,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_rating_reaction" (
  "rating_id" integer NOT NULL,
  "position" integer NOT NULL,
  "user_name" text,
  "date" text,
  "reaction" text,
  PRIMARY KEY ("rating_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_bouncer" (
  "id" text NOT NULL,
  "reason" text,
  "exception" text,
  "customer_status" text,
  "date_sent" text,
  "date_reminded" text,
  "email" text,
  "transaction_date" text,
  "survey_closed_date" text,
  "language" text,
  "is_contact_requested" integer,
  "is_concept" integer,
  "digest" text NOT NULL,
  "changed_at" text NOT NULL,
  PRIMARY KEY ("id")
);

CREATE TABLE IF NOT EXISTS "survey_bouncer_data" (
  "bouncer_id" text NOT NULL,
  "position" integer NOT NULL,
  "customer_data_column_id" integer,
  "name" text,
  "value" text,
  "is_encrypted" integer,
  "certificate_thumbprint" text,
  "encryption_key" text,
  PRIMARY KEY ("bouncer_id", "position")
);

CREATE TABLE IF NOT EXISTS "survey_status" (
  "code" integer NOT NULL,
  "name" text,
  "digest" text NOT NULL,
  "changed_at" text NOT NULL,
  PRIMARY KEY ("code")
);

CREATE TABLE IF NOT EXISTS "survey_data_column" (
  "id" integer NOT NULL,
  "required" integer,
  "archived" integer,
  "name" text,
  "display_name" text,
  "digest" text NOT NULL,
  "changed_at" text NOT NULL,
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

