// Standard output as a result: what could not be written is none, whatever was done for it.
#pragma once

namespace surveybridge::daemon {

// It is a pipe that nobody reads any more, as in `surveybridge verify | head`.
bool reader_has_gone();

// Writes what is still to be written. The exit code: this one, or that a person is needed where
// not all could be written, which is reported unless the reader has gone.
int handed_over(int code);

}  // namespace surveybridge::daemon
