IF OBJECT_ID(N'survey_push', N'U') IS NULL
CREATE TABLE [survey_push] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [state] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [reason] nvarchar(max),
  [batch] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [customer_id] bigint,
  [attempts] bigint NOT NULL,
  [owner] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [email] nvarchar(max),
  [transaction_date] datetime2(6),
  [test] bit,
  [doubt_since] datetime2(6),
  [person] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [not_before] datetime2(6),
  [seen_at] datetime2(6) NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  [service] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [correlate] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([push], [key])
);

IF OBJECT_ID(N'survey_push_event', N'U') IS NULL
CREATE TABLE [survey_push_event] (
  [id] bigint IDENTITY NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [at] datetime2(6) NOT NULL,
  [state] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [batch] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [detail] nvarchar(max),
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_batch', N'U') IS NULL
CREATE TABLE [survey_batch] (
  [id] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [owner] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [rows] bigint NOT NULL,
  [sent_at] datetime2(6) NOT NULL,
  [outcome] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [http_status] bigint,
  [detail] nvarchar(max),
  [test] bit NOT NULL,
  [settled_at] datetime2(6),
  [service] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [correlate] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_person', N'U') IS NULL
CREATE TABLE [survey_person] (
  [person] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [kind] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [ref] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [at] datetime2(6) NOT NULL,
  PRIMARY KEY ([person], [kind], [ref])
);

IF OBJECT_ID(N'survey_seal', N'U') IS NULL
CREATE TABLE [survey_seal] (
  [name] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [value] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  PRIMARY KEY ([name])
);

IF OBJECT_ID(N'survey_brake', N'U') IS NULL
CREATE TABLE [survey_brake] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [fingerprint] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [allowance] bigint NOT NULL,
  [passed] bigint NOT NULL,
  [reason] nvarchar(max),
  [since] datetime2(6),
  [service] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [query] nvarchar(max),
  PRIMARY KEY ([push])
);

IF OBJECT_ID(N'survey_release', N'U') IS NULL
CREATE TABLE [survey_release] (
  [id] bigint IDENTITY NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [at] datetime2(6) NOT NULL,
  [rows] bigint NOT NULL,
  [decided_by] nvarchar(max),
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_cursor', N'U') IS NULL
CREATE TABLE [survey_cursor] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [walk] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [window_from] datetime2(6),
  [window_to] datetime2(6),
  [cursor] nvarchar(max),
  [watermark] datetime2(6),
  [pages] bigint NOT NULL,
  [restarts] bigint NOT NULL,
  [finished_at] datetime2(6),
  [ignored] nvarchar(max),
  [begun_at] datetime2(6),
  [whole_to] datetime2(6),
  PRIMARY KEY ([list], [walk])
);

IF OBJECT_ID(N'survey_write', N'U') IS NULL
CREATE TABLE [survey_write] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [target] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [written] bigint NOT NULL,
  [matched_none] bigint NOT NULL,
  [matched_many] bigint NOT NULL,
  [unfit] bigint NOT NULL,
  PRIMARY KEY ([list], [target])
);

IF OBJECT_ID(N'survey_lease', N'U') IS NULL
CREATE TABLE [survey_lease] (
  [name] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [owner] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [fence] bigint NOT NULL,
  [expires_at] datetime2(6) NOT NULL,
  [session] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([name])
);

IF OBJECT_ID(N'survey_verify', N'U') IS NULL
CREATE TABLE [survey_verify] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [at] datetime2(6) NOT NULL,
  [eligible] bigint NOT NULL,
  [unaccounted] bigint NOT NULL,
  [differences] bigint,
  PRIMARY KEY ([push])
);

IF OBJECT_ID(N'survey_sweep', N'U') IS NULL
CREATE TABLE [survey_sweep] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [began_at] datetime2(6) NOT NULL,
  [ended_at] datetime2(6) NOT NULL,
  [rows] bigint NOT NULL,
  [within] bigint,
  PRIMARY KEY ([push])
);

IF OBJECT_ID(N'survey_pace', N'U') IS NULL
CREATE TABLE [survey_pace] (
  [service] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [owner] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [rate] bigint NOT NULL,
  [edge] bigint NOT NULL,
  [share] bigint NOT NULL,
  [refused_at] datetime2(6),
  [held_until] datetime2(6),
  [seen_at] datetime2(6) NOT NULL,
  [live_until] datetime2(6) NOT NULL,
  [waiting] nvarchar(max),
  [read_rate] bigint,
  [read_edge] bigint,
  PRIMARY KEY ([service], [owner])
);

IF OBJECT_ID(N'survey_enumeration', N'U') IS NULL
CREATE TABLE [survey_enumeration] (
  [enumeration] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [value] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [number] bigint,
  [name] nvarchar(max),
  [tries] bigint NOT NULL,
  PRIMARY KEY ([enumeration], [value])
);

IF OBJECT_ID(N'survey_unreadable', N'U') IS NULL
CREATE TABLE [survey_unreadable] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [record] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [reason] nvarchar(max) NOT NULL,
  [raw] nvarchar(max),
  [seen_at] datetime2(6) NOT NULL,
  [person] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [hides] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([list], [record])
);

IF OBJECT_ID(N'survey_write_mark', N'U') IS NULL
CREATE TABLE [survey_write_mark] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [mark] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [reached] nvarchar(max),
  [through] bigint NOT NULL,
  PRIMARY KEY ([list], [mark])
);

IF OBJECT_ID(N'survey_unmatched', N'U') IS NULL
CREATE TABLE [survey_unmatched] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [mark] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [record] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [tried_at] datetime2(6) NOT NULL,
  [since] datetime2(6),
  PRIMARY KEY ([list], [mark], [record])
);

IF OBJECT_ID(N'survey_unwritten', N'U') IS NULL
CREATE TABLE [survey_unwritten] (
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [mark] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [record] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [column] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [target] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [reason] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [since] datetime2(6) NOT NULL,
  PRIMARY KEY ([list], [mark], [record], [column])
);

IF OBJECT_ID(N'survey_write_queue', N'U') IS NULL
CREATE TABLE [survey_write_queue] (
  [id] bigint IDENTITY NOT NULL,
  [list] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [record] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [queued_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_count', N'U') IS NULL
CREATE TABLE [survey_count] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [counted] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [rows] bigint NOT NULL,
  [before] datetime2(6) NOT NULL,
  PRIMARY KEY ([push], [counted])
);

IF OBJECT_ID(N'survey_listed', N'U') IS NULL
CREATE TABLE [survey_listed] (
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [customer_id] bigint NOT NULL,
  [person] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [transaction_date] datetime2(6),
  [seen_at] datetime2(6) NOT NULL,
  [opted_out] bit,
  [service] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [correlate] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([push], [key], [customer_id])
);

IF OBJECT_ID(N'survey_invitation', N'U') IS NULL
CREATE TABLE [survey_invitation] (
  [customer_id] bigint NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [stage] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [stage_at] datetime2(6),
  [transaction_date] datetime2(6),
  [invited_at] datetime2(6),
  [opened_at] datetime2(6),
  [begun_at] datetime2(6),
  [finished_at] datetime2(6),
  [closed_at] datetime2(6),
  [bounced_at] datetime2(6),
  [opted_out_at] datetime2(6),
  [last_activity] datetime2(6),
  [seconds_to_answer] bigint,
  [mail_domain] nvarchar(max),
  [opened] bigint NOT NULL,
  [begun] bigint NOT NULL,
  [finished] bigint NOT NULL,
  [closed] bigint NOT NULL,
  [bounced] bigint NOT NULL,
  [opted_out] bigint NOT NULL,
  [test] bigint NOT NULL,
  [second_feedback] bigint NOT NULL,
  [contact_requested] bigint NOT NULL,
  [seen_at] datetime2(6),
  [segment_1] nvarchar(max),
  [segment_2] nvarchar(max),
  [segment_3] nvarchar(max),
  [segment_4] nvarchar(max),
  [segment_5] nvarchar(max),
  [segment_6] nvarchar(max),
  [segment_7] nvarchar(max),
  [segment_8] nvarchar(max),
  PRIMARY KEY ([customer_id])
);

IF OBJECT_ID(N'survey_customer_history', N'U') IS NULL
CREATE TABLE [survey_customer_history] (
  [customer_id] bigint NOT NULL,
  [version] bigint NOT NULL,
  [seen_at] datetime2(6) NOT NULL,
  [stage] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [bounced] bigint NOT NULL,
  [opted_out] bigint NOT NULL,
  PRIMARY KEY ([customer_id], [version])
);

IF OBJECT_ID(N'survey_bounce', N'U') IS NULL
CREATE TABLE [survey_bounce] (
  [bouncer_id] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [kind] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [mail_domain] nvarchar(max),
  [bounced_at] datetime2(6),
  [transaction_date] datetime2(6),
  [test] bigint NOT NULL,
  PRIMARY KEY ([bouncer_id])
);

IF OBJECT_ID(N'survey_rating_match', N'U') IS NULL
CREATE TABLE [survey_rating_match] (
  [rating_id] bigint NOT NULL,
  [push] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  [key] nvarchar(200) COLLATE Latin1_General_100_BIN2,
  PRIMARY KEY ([rating_id])
);

IF OBJECT_ID(N'survey_question', N'U') IS NULL
CREATE TABLE [survey_question] (
  [id] bigint NOT NULL,
  [words] nvarchar(max),
  [kind] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [low] bigint,
  [high] bigint,
  [first_seen] datetime2(6) NOT NULL,
  [last_seen] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_report_column', N'U') IS NULL
CREATE TABLE [survey_report_column] (
  [position] bigint NOT NULL,
  [name] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [kind] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [source] bigint NOT NULL,
  [occurrence] bigint NOT NULL,
  PRIMARY KEY ([position])
);

IF OBJECT_ID(N'survey_report_state', N'U') IS NULL
CREATE TABLE [survey_report_state] (
  [name] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [value] nvarchar(max),
  PRIMARY KEY ([name])
);

IF OBJECT_ID(N'survey_customer', N'U') IS NULL
CREATE TABLE [survey_customer] (
  [id] bigint NOT NULL,
  [access_key] nvarchar(max),
  [questionnaire_id] nvarchar(max),
  [status_code] bigint,
  [status_name] nvarchar(max),
  [scheduled_invitation_date] datetime2(6),
  [date_invited] datetime2(6),
  [date_reminded] datetime2(6),
  [survey_finished_date] datetime2(6),
  [open_date] datetime2(6),
  [last_activity_date] datetime2(6),
  [completion_time_in_seconds] bigint,
  [has_second_feed_back] bit,
  [is_second_feed_back] bit,
  [second_feedback_information_original_customer_id] bigint,
  [second_feedback_information_second_feedback_customer_id] bigint,
  [batch_id] bigint,
  [batch_is_test] bit,
  [batch_type_batch] nvarchar(max),
  [batch_created_date] datetime2(6),
  [opted_out] bit,
  [external_unique_id] nvarchar(max),
  [opted_out_date] datetime2(6),
  [user_agent] nvarchar(max),
  [priority] bigint,
  [partially_answered_reminded_date] datetime2(6),
  [previous_id] bigint,
  [overtime] bit,
  [form_status] bigint,
  [form_status_name] nvarchar(max),
  [review_status] bigint,
  [review_status_name] nvarchar(max),
  [review_approved_date] datetime2(6),
  [email] nvarchar(max),
  [transaction_date] datetime2(6),
  [survey_closed_date] datetime2(6),
  [language] nvarchar(max),
  [is_contact_requested] bit,
  [is_concept] bit,
  [digest] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_answer', N'U') IS NULL
CREATE TABLE [survey_answer] (
  [customer_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [question_id] nvarchar(max),
  [base_question_id] bigint,
  [question_description] nvarchar(max),
  [question_text] nvarchar(max),
  [page_repetition] bigint,
  [section_repetition] bigint,
  [is_encrypted] bit,
  [certificate_thumbprint] nvarchar(max),
  [encryption_key] nvarchar(max),
  [text] nvarchar(max),
  [date_answered] datetime2(6),
  PRIMARY KEY ([customer_id], [position])
);

IF OBJECT_ID(N'survey_answer_category', N'U') IS NULL
CREATE TABLE [survey_answer_category] (
  [customer_id] bigint NOT NULL,
  [answer_position] bigint NOT NULL,
  [position] bigint NOT NULL,
  [category] nvarchar(max),
  [sub_category] nvarchar(max),
  [sentiment] bigint,
  [sentiment_name] nvarchar(max),
  PRIMARY KEY ([customer_id], [answer_position], [position])
);

IF OBJECT_ID(N'survey_answer_scale_position', N'U') IS NULL
CREATE TABLE [survey_answer_scale_position] (
  [customer_id] bigint NOT NULL,
  [answer_position] bigint NOT NULL,
  [position] bigint NOT NULL,
  [id] bigint,
  [label] nvarchar(max),
  [value] bigint,
  [ranking] bigint,
  PRIMARY KEY ([customer_id], [answer_position], [position])
);

IF OBJECT_ID(N'survey_answer_file', N'U') IS NULL
CREATE TABLE [survey_answer_file] (
  [customer_id] bigint NOT NULL,
  [answer_position] bigint NOT NULL,
  [position] bigint NOT NULL,
  [id] bigint,
  [answer_id] bigint,
  [file_name] nvarchar(max),
  [file_size] bigint,
  [file_type] nvarchar(max),
  [data] varbinary(max),
  [is_encrypted] bit,
  [certificate_thumbprint] nvarchar(max),
  [encryption_key] nvarchar(max),
  PRIMARY KEY ([customer_id], [answer_position], [position])
);

IF OBJECT_ID(N'survey_customer_note', N'U') IS NULL
CREATE TABLE [survey_customer_note] (
  [customer_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [date] datetime2(6),
  [user] nvarchar(max),
  [note] nvarchar(max),
  [type] bigint,
  [type_name] nvarchar(max),
  PRIMARY KEY ([customer_id], [position])
);

IF OBJECT_ID(N'survey_customer_data', N'U') IS NULL
CREATE TABLE [survey_customer_data] (
  [customer_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [customer_data_column_id] bigint,
  [name] nvarchar(max),
  [value] nvarchar(max),
  [is_encrypted] bit,
  [certificate_thumbprint] nvarchar(max),
  [encryption_key] nvarchar(max),
  PRIMARY KEY ([customer_id], [position])
);

IF OBJECT_ID(N'survey_rating', N'U') IS NULL
CREATE TABLE [survey_rating] (
  [id] bigint NOT NULL,
  [transaction_date] datetime2(6),
  [finished_date] datetime2(6),
  [review_approved_date] datetime2(6),
  [digest] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_rating_data', N'U') IS NULL
CREATE TABLE [survey_rating_data] (
  [rating_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [display_name] nvarchar(max),
  [value] nvarchar(max),
  PRIMARY KEY ([rating_id], [position])
);

IF OBJECT_ID(N'survey_rating_answer', N'U') IS NULL
CREATE TABLE [survey_rating_answer] (
  [rating_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [question_id] bigint,
  [description] nvarchar(max),
  [text] nvarchar(max),
  [score] bigint,
  PRIMARY KEY ([rating_id], [position])
);

IF OBJECT_ID(N'survey_rating_reaction', N'U') IS NULL
CREATE TABLE [survey_rating_reaction] (
  [rating_id] bigint NOT NULL,
  [position] bigint NOT NULL,
  [user_name] nvarchar(max),
  [date] datetime2(6),
  [reaction] nvarchar(max),
  PRIMARY KEY ([rating_id], [position])
);

IF OBJECT_ID(N'survey_bouncer', N'U') IS NULL
CREATE TABLE [survey_bouncer] (
  [id] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [reason] nvarchar(max),
  [exception] nvarchar(max),
  [customer_status] nvarchar(max),
  [date_sent] datetime2(6),
  [date_reminded] datetime2(6),
  [email] nvarchar(max),
  [transaction_date] datetime2(6),
  [survey_closed_date] datetime2(6),
  [language] nvarchar(max),
  [is_contact_requested] bit,
  [is_concept] bit,
  [digest] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF OBJECT_ID(N'survey_bouncer_data', N'U') IS NULL
CREATE TABLE [survey_bouncer_data] (
  [bouncer_id] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [position] bigint NOT NULL,
  [customer_data_column_id] bigint,
  [name] nvarchar(max),
  [value] nvarchar(max),
  [is_encrypted] bit,
  [certificate_thumbprint] nvarchar(max),
  [encryption_key] nvarchar(max),
  PRIMARY KEY ([bouncer_id], [position])
);

IF OBJECT_ID(N'survey_status', N'U') IS NULL
CREATE TABLE [survey_status] (
  [code] bigint NOT NULL,
  [name] nvarchar(max),
  [digest] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([code])
);

IF OBJECT_ID(N'survey_data_column', N'U') IS NULL
CREATE TABLE [survey_data_column] (
  [id] bigint NOT NULL,
  [required] bit,
  [archived] bit,
  [name] nvarchar(max),
  [display_name] nvarchar(max),
  [digest] nvarchar(200) COLLATE Latin1_General_100_BIN2 NOT NULL,
  [changed_at] datetime2(6) NOT NULL,
  PRIMARY KEY ([id])
);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_push_by_state' AND object_id = OBJECT_ID(N'survey_push'))
CREATE INDEX [survey_push_by_state] ON [survey_push] ([push], [state], [changed_at]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_push_by_batch' AND object_id = OBJECT_ID(N'survey_push'))
CREATE INDEX [survey_push_by_batch] ON [survey_push] ([batch]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_push_by_person' AND object_id = OBJECT_ID(N'survey_push'))
CREATE INDEX [survey_push_by_person] ON [survey_push] ([person]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_push_event_by_key' AND object_id = OBJECT_ID(N'survey_push_event'))
CREATE INDEX [survey_push_event_by_key] ON [survey_push_event] ([push], [key]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_listed_by_person' AND object_id = OBJECT_ID(N'survey_listed'))
CREATE INDEX [survey_listed_by_person] ON [survey_listed] ([person]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_batch_by_time' AND object_id = OBJECT_ID(N'survey_batch'))
CREATE INDEX [survey_batch_by_time] ON [survey_batch] ([push], [sent_at]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_write_queue_by_list' AND object_id = OBJECT_ID(N'survey_write_queue'))
CREATE INDEX [survey_write_queue_by_list] ON [survey_write_queue] ([list], [id]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_unwritten_by_reason' AND object_id = OBJECT_ID(N'survey_unwritten'))
CREATE INDEX [survey_unwritten_by_reason] ON [survey_unwritten] ([list], [target], [column], [reason]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_batch_by_outcome' AND object_id = OBJECT_ID(N'survey_batch'))
CREATE INDEX [survey_batch_by_outcome] ON [survey_batch] ([push], [outcome], [sent_at]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_invitation_by_key' AND object_id = OBJECT_ID(N'survey_invitation'))
CREATE INDEX [survey_invitation_by_key] ON [survey_invitation] ([push], [key]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_bounce_by_key' AND object_id = OBJECT_ID(N'survey_bounce'))
CREATE INDEX [survey_bounce_by_key] ON [survey_bounce] ([push], [key]);

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'survey_rating_match_by_key' AND object_id = OBJECT_ID(N'survey_rating_match'))
CREATE INDEX [survey_rating_match_by_key] ON [survey_rating_match] ([push], [key]);

