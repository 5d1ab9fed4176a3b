CREATE TABLE IF NOT EXISTS `survey_push` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `state` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `reason` longtext,
  `batch` varchar(191) COLLATE utf8mb4_nopad_bin,
  `customer_id` bigint,
  `attempts` bigint NOT NULL,
  `owner` varchar(191) COLLATE utf8mb4_nopad_bin,
  `email` longtext,
  `transaction_date` datetime(6),
  `test` boolean,
  `doubt_since` datetime(6),
  `person` varchar(191) COLLATE utf8mb4_nopad_bin,
  `not_before` datetime(6),
  `seen_at` datetime(6) NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  `service` varchar(191) COLLATE utf8mb4_nopad_bin,
  `correlate` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`push`, `key`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_push_event` (
  `id` bigint AUTO_INCREMENT NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `at` datetime(6) NOT NULL,
  `state` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `batch` varchar(191) COLLATE utf8mb4_nopad_bin,
  `detail` longtext,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_batch` (
  `id` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `owner` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `rows` bigint NOT NULL,
  `sent_at` datetime(6) NOT NULL,
  `outcome` varchar(191) COLLATE utf8mb4_nopad_bin,
  `http_status` bigint,
  `detail` longtext,
  `test` boolean NOT NULL,
  `settled_at` datetime(6),
  `service` varchar(191) COLLATE utf8mb4_nopad_bin,
  `correlate` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_person` (
  `person` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `kind` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `ref` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `at` datetime(6) NOT NULL,
  PRIMARY KEY (`person`, `kind`, `ref`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_seal` (
  `name` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `value` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_brake` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `fingerprint` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `allowance` bigint NOT NULL,
  `passed` bigint NOT NULL,
  `reason` longtext,
  `since` datetime(6),
  `service` varchar(191) COLLATE utf8mb4_nopad_bin,
  `query` longtext,
  PRIMARY KEY (`push`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_release` (
  `id` bigint AUTO_INCREMENT NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `at` datetime(6) NOT NULL,
  `rows` bigint NOT NULL,
  `decided_by` longtext,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_cursor` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `walk` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `window_from` datetime(6),
  `window_to` datetime(6),
  `cursor` longtext,
  `watermark` datetime(6),
  `pages` bigint NOT NULL,
  `restarts` bigint NOT NULL,
  `finished_at` datetime(6),
  `ignored` longtext,
  `begun_at` datetime(6),
  `whole_to` datetime(6),
  PRIMARY KEY (`list`, `walk`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_write` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `target` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `written` bigint NOT NULL,
  `matched_none` bigint NOT NULL,
  `matched_many` bigint NOT NULL,
  `unfit` bigint NOT NULL,
  PRIMARY KEY (`list`, `target`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_lease` (
  `name` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `owner` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `fence` bigint NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `session` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_verify` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `at` datetime(6) NOT NULL,
  `eligible` bigint NOT NULL,
  `unaccounted` bigint NOT NULL,
  `differences` bigint,
  PRIMARY KEY (`push`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_sweep` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `began_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) NOT NULL,
  `rows` bigint NOT NULL,
  `within` bigint,
  PRIMARY KEY (`push`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_pace` (
  `service` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `owner` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `rate` bigint NOT NULL,
  `edge` bigint NOT NULL,
  `share` bigint NOT NULL,
  `refused_at` datetime(6),
  `held_until` datetime(6),
  `seen_at` datetime(6) NOT NULL,
  `live_until` datetime(6) NOT NULL,
  `waiting` longtext,
  `read_rate` bigint,
  `read_edge` bigint,
  PRIMARY KEY (`service`, `owner`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_enumeration` (
  `enumeration` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `value` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `number` bigint,
  `name` longtext,
  `tries` bigint NOT NULL,
  PRIMARY KEY (`enumeration`, `value`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_unreadable` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `record` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `reason` longtext NOT NULL,
  `raw` longtext,
  `seen_at` datetime(6) NOT NULL,
  `person` varchar(191) COLLATE utf8mb4_nopad_bin,
  `hides` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`list`, `record`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_write_mark` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `mark` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `reached` longtext,
  `through` bigint NOT NULL,
  PRIMARY KEY (`list`, `mark`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_unmatched` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `mark` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `record` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `tried_at` datetime(6) NOT NULL,
  `since` datetime(6),
  PRIMARY KEY (`list`, `mark`, `record`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_unwritten` (
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `mark` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `record` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `column` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `target` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `reason` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `since` datetime(6) NOT NULL,
  PRIMARY KEY (`list`, `mark`, `record`, `column`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_write_queue` (
  `id` bigint AUTO_INCREMENT NOT NULL,
  `list` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `record` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `queued_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_count` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `counted` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `rows` bigint NOT NULL,
  `before` datetime(6) NOT NULL,
  PRIMARY KEY (`push`, `counted`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_listed` (
  `push` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `customer_id` bigint NOT NULL,
  `person` varchar(191) COLLATE utf8mb4_nopad_bin,
  `transaction_date` datetime(6),
  `seen_at` datetime(6) NOT NULL,
  `opted_out` boolean,
  `service` varchar(191) COLLATE utf8mb4_nopad_bin,
  `correlate` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`push`, `key`, `customer_id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_invitation` (
  `customer_id` bigint NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin,
  `stage` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `stage_at` datetime(6),
  `transaction_date` datetime(6),
  `invited_at` datetime(6),
  `opened_at` datetime(6),
  `begun_at` datetime(6),
  `finished_at` datetime(6),
  `closed_at` datetime(6),
  `bounced_at` datetime(6),
  `opted_out_at` datetime(6),
  `last_activity` datetime(6),
  `seconds_to_answer` bigint,
  `mail_domain` longtext,
  `opened` bigint NOT NULL,
  `begun` bigint NOT NULL,
  `finished` bigint NOT NULL,
  `closed` bigint NOT NULL,
  `bounced` bigint NOT NULL,
  `opted_out` bigint NOT NULL,
  `test` bigint NOT NULL,
  `second_feedback` bigint NOT NULL,
  `contact_requested` bigint NOT NULL,
  `seen_at` datetime(6),
  `segment_1` longtext,
  `segment_2` longtext,
  `segment_3` longtext,
  `segment_4` longtext,
  `segment_5` longtext,
  `segment_6` longtext,
  `segment_7` longtext,
  `segment_8` longtext,
  PRIMARY KEY (`customer_id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_customer_history` (
  `customer_id` bigint NOT NULL,
  `version` bigint NOT NULL,
  `seen_at` datetime(6) NOT NULL,
  `stage` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `bounced` bigint NOT NULL,
  `opted_out` bigint NOT NULL,
  PRIMARY KEY (`customer_id`, `version`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_bounce` (
  `bouncer_id` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin,
  `kind` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `mail_domain` longtext,
  `bounced_at` datetime(6),
  `transaction_date` datetime(6),
  `test` bigint NOT NULL,
  PRIMARY KEY (`bouncer_id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_rating_match` (
  `rating_id` bigint NOT NULL,
  `push` varchar(191) COLLATE utf8mb4_nopad_bin,
  `key` varchar(191) COLLATE utf8mb4_nopad_bin,
  PRIMARY KEY (`rating_id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_question` (
  `id` bigint NOT NULL,
  `words` longtext,
  `kind` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `low` bigint,
  `high` bigint,
  `first_seen` datetime(6) NOT NULL,
  `last_seen` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_report_column` (
  `position` bigint NOT NULL,
  `name` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `kind` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `source` bigint NOT NULL,
  `occurrence` bigint NOT NULL,
  PRIMARY KEY (`position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_report_state` (
  `name` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `value` longtext,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_customer` (
  `id` bigint NOT NULL,
  `access_key` longtext,
  `questionnaire_id` longtext,
  `status_code` bigint,
  `status_name` longtext,
  `scheduled_invitation_date` datetime(6),
  `date_invited` datetime(6),
  `date_reminded` datetime(6),
  `survey_finished_date` datetime(6),
  `open_date` datetime(6),
  `last_activity_date` datetime(6),
  `completion_time_in_seconds` bigint,
  `has_second_feed_back` boolean,
  `is_second_feed_back` boolean,
  `second_feedback_information_original_customer_id` bigint,
  `second_feedback_information_second_feedback_customer_id` bigint,
  `batch_id` bigint,
  `batch_is_test` boolean,
  `batch_type_batch` longtext,
  `batch_created_date` datetime(6),
  `opted_out` boolean,
  `external_unique_id` longtext,
  `opted_out_date` datetime(6),
  `user_agent` longtext,
  `priority` bigint,
  `partially_answered_reminded_date` datetime(6),
  `previous_id` bigint,
  `overtime` boolean,
  `form_status` bigint,
  `form_status_name` longtext,
  `review_status` bigint,
  `review_status_name` longtext,
  `review_approved_date` datetime(6),
  `email` longtext,
  `transaction_date` datetime(6),
  `survey_closed_date` datetime(6),
  `language` longtext,
  `is_contact_requested` boolean,
  `is_concept` boolean,
  `digest` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_answer` (
  `customer_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `question_id` longtext,
  `base_question_id` bigint,
  `question_description` longtext,
  `question_text` longtext,
  `page_repetition` bigint,
  `section_repetition` bigint,
  `is_encrypted` boolean,
  `certificate_thumbprint` longtext,
  `encryption_key` longtext,
  `text` longtext,
  `date_answered` datetime(6),
  PRIMARY KEY (`customer_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_answer_category` (
  `customer_id` bigint NOT NULL,
  `answer_position` bigint NOT NULL,
  `position` bigint NOT NULL,
  `category` longtext,
  `sub_category` longtext,
  `sentiment` bigint,
  `sentiment_name` longtext,
  PRIMARY KEY (`customer_id`, `answer_position`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_answer_scale_position` (
  `customer_id` bigint NOT NULL,
  `answer_position` bigint NOT NULL,
  `position` bigint NOT NULL,
  `id` bigint,
  `label` longtext,
  `value` bigint,
  `ranking` bigint,
  PRIMARY KEY (`customer_id`, `answer_position`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_answer_file` (
  `customer_id` bigint NOT NULL,
  `answer_position` bigint NOT NULL,
  `position` bigint NOT NULL,
  `id` bigint,
  `answer_id` bigint,
  `file_name` longtext,
  `file_size` bigint,
  `file_type` longtext,
  `data` longblob,
  `is_encrypted` boolean,
  `certificate_thumbprint` longtext,
  `encryption_key` longtext,
  PRIMARY KEY (`customer_id`, `answer_position`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_customer_note` (
  `customer_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `date` datetime(6),
  `user` longtext,
  `note` longtext,
  `type` bigint,
  `type_name` longtext,
  PRIMARY KEY (`customer_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_customer_data` (
  `customer_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `customer_data_column_id` bigint,
  `name` longtext,
  `value` longtext,
  `is_encrypted` boolean,
  `certificate_thumbprint` longtext,
  `encryption_key` longtext,
  PRIMARY KEY (`customer_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_rating` (
  `id` bigint NOT NULL,
  `transaction_date` datetime(6),
  `finished_date` datetime(6),
  `review_approved_date` datetime(6),
  `digest` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_rating_data` (
  `rating_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `display_name` longtext,
  `value` longtext,
  PRIMARY KEY (`rating_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_rating_answer` (
  `rating_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `question_id` bigint,
  `description` longtext,
  `text` longtext,
  `score` bigint,
  PRIMARY KEY (`rating_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_rating_reaction` (
  `rating_id` bigint NOT NULL,
  `position` bigint NOT NULL,
  `user_name` longtext,
  `date` datetime(6),
  `reaction` longtext,
  PRIMARY KEY (`rating_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_bouncer` (
  `id` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `reason` longtext,
  `exception` longtext,
  `customer_status` longtext,
  `date_sent` datetime(6),
  `date_reminded` datetime(6),
  `email` longtext,
  `transaction_date` datetime(6),
  `survey_closed_date` datetime(6),
  `language` longtext,
  `is_contact_requested` boolean,
  `is_concept` boolean,
  `digest` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_bouncer_data` (
  `bouncer_id` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `position` bigint NOT NULL,
  `customer_data_column_id` bigint,
  `name` longtext,
  `value` longtext,
  `is_encrypted` boolean,
  `certificate_thumbprint` longtext,
  `encryption_key` longtext,
  PRIMARY KEY (`bouncer_id`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_status` (
  `code` bigint NOT NULL,
  `name` longtext,
  `digest` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  PRIMARY KEY (`code`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS `survey_data_column` (
  `id` bigint NOT NULL,
  `required` boolean,
  `archived` boolean,
  `name` longtext,
  `display_name` longtext,
  `digest` varchar(191) COLLATE utf8mb4_nopad_bin NOT NULL,
  `changed_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE INDEX IF NOT EXISTS `survey_push_by_state` ON `survey_push` (`push`, `state`, `changed_at`);

CREATE INDEX IF NOT EXISTS `survey_push_by_batch` ON `survey_push` (`batch`);

CREATE INDEX IF NOT EXISTS `survey_push_by_person` ON `survey_push` (`person`);

CREATE INDEX IF NOT EXISTS `survey_push_event_by_key` ON `survey_push_event` (`push`, `key`);

CREATE INDEX IF NOT EXISTS `survey_listed_by_person` ON `survey_listed` (`person`);

CREATE INDEX IF NOT EXISTS `survey_batch_by_time` ON `survey_batch` (`push`, `sent_at`);

CREATE INDEX IF NOT EXISTS `survey_write_queue_by_list` ON `survey_write_queue` (`list`, `id`);

CREATE INDEX IF NOT EXISTS `survey_unwritten_by_reason` ON `survey_unwritten` (`list`, `target`, `column`, `reason`);

CREATE INDEX IF NOT EXISTS `survey_batch_by_outcome` ON `survey_batch` (`push`, `outcome`, `sent_at`);

CREATE INDEX IF NOT EXISTS `survey_invitation_by_key` ON `survey_invitation` (`push`, `key`);

CREATE INDEX IF NOT EXISTS `survey_bounce_by_key` ON `survey_bounce` (`push`, `key`);

CREATE INDEX IF NOT EXISTS `survey_rating_match_by_key` ON `survey_rating_match` (`push`, `key`);

