"""The receivers of alerts.sh in the container: a webhook and a mailbox, and what they were told.

    inbox.py serve FOLDER PORT            takes what is posted; 404 while FOLDER/refuse is there
    inbox.py told FOLDER STATE CAUSE…     are both told of each? STATE: begun, over
    inbox.py table FOLDER                 what was told of each cause; 1: not each of them once
    inbox.py text FOLDER                  every message, decoded

FOLDER/causes has a line for each cause, with tabs between: its name, its sentence and its command
as regular expressions, and how many all-clears follow. A sentence with a group may come once for
each text of the group, as where several jobs have the cause. FOLDER/mail is a mailbox,
FOLDER/posted has a line for each message that was posted.
"""
import collections
import http.server
import json
import mailbox
import pathlib
import re
import sys

Entry = collections.namedtuple('Entry', 'state what command')
Cause = collections.namedtuple('Cause', 'name what command clears')
ANY_FILE = r'( -c /etc/surveybridge/\w+\.toml)?'
STATES = {'Needs a person:': 'begun', 'Well again:': 'over'}


def serve(folder, port):
    class Taker(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length'])).decode()
            takes = self.path != '/refused' or not (folder / 'refuse').exists()
            if takes:
                with (folder / 'posted').open('a') as posted:
                    posted.write(json.dumps({'path': self.path, 'message': json.loads(body)}) + '\n')
            self.send_response(200 if takes else 404)
            self.send_header('Content-Length', '0')
            self.end_headers()

    http.server.ThreadingHTTPServer(('127.0.0.1', port), Taker).serve_forever()


def mails(folder):
    for mail in mailbox.mbox(folder / 'mail', create=False):
        yield f"{mail['Subject']}\n{mail.get_payload(decode=True).decode()}"


def posted(folder):
    for line in (folder / 'posted').read_text().splitlines():
        yield json.loads(line)


def entries_of_mail(text):
    state = None
    found = []
    for line in text.splitlines():
        state = STATES.get(line, state)
        if line.startswith('- ') and state:
            found.append(Entry(state, line[2:], ''))
        elif line.startswith('  ') and found:
            found[-1] = found[-1]._replace(command=line[2:])
        elif re.fullmatch(r'and \d+ more', line):
            found.append(Entry(state, line, ''))
    return found


def entries_of_post(message):
    return [Entry(state, alert['what'], alert['command'])
            for state in ('begun', 'over') for alert in message.get(state, [])]


def told(folder):
    return {'mail': [entry for text in mails(folder) for entry in entries_of_mail(text)],
            'webhook': [entry for post in posted(folder) if post['path'] == '/chat'
                        for entry in entries_of_post(post['message'])]}


def causes(folder):
    for line in (folder / 'causes').read_text().splitlines():
        name, what, command, clears = line.split('\t')
        yield Cause(name, what, command, int(clears))


def about(cause, entries, state):
    return [entry for entry in entries
            if entry.state == state and re.match(cause.what, entry.what)]


# The most that one sentence, of one job, was told.
def times(cause, entries, state):
    jobs = [re.match(cause.what, entry.what).groups() for entry in about(cause, entries, state)]
    return max(collections.Counter(jobs).values(), default=0)


def is_told(folder, state, names):
    wanted = [cause for cause in causes(folder) if cause.name in names]
    return len(wanted) == len(names) and all(
        about(cause, entries, state) for cause in wanted for entries in told(folder).values())


def table(folder):
    by_receiver = told(folder)
    known = list(causes(folder))
    wrong = []
    print(f"  {'cause':<34} {'mail':>4} {'webhook':>8} {'all-clear':>10}")
    for cause in known:
        begun = {name: times(cause, entries, 'begun') for name, entries in by_receiver.items()}
        over = {name: times(cause, entries, 'over') for name, entries in by_receiver.items()}
        clears = ' and '.join(str(number) for number in over.values())
        print(f"  {cause.name:<34} {begun['mail']:>4} {begun['webhook']:>8} {clears:>10}")
        if set(begun.values()) != {1} or set(over.values()) != {cause.clears}:
            wrong.append(f'not once: {cause.name}')
        command = cause.command and cause.command + ANY_FILE
        wrong += [f'{cause.name}: the command "{entry.command}"'
                  for entries in by_receiver.values() for entry in about(cause, entries, 'begun')
                  if not re.fullmatch(command, entry.command)]
    for name, entries in by_receiver.items():
        for entry in entries:
            matches = [cause.name for cause in known if re.match(cause.what, entry.what)]
            if len(matches) != 1:
                wrong.append(f'{name}: {entry.state}: "{entry.what}" is of {matches or "no cause"}')
    for fault in wrong:
        print(f'  {fault}')
    return not wrong


def main(what, folder, *words):
    folder = pathlib.Path(folder)
    if what == 'serve':
        serve(folder, int(words[0]))
    elif what == 'told':
        return is_told(folder, words[0], words[1:])
    elif what == 'table':
        return table(folder)
    else:
        print(*mails(folder), *(json.dumps(post, ensure_ascii=False) for post in posted(folder)),
              sep='\n')
    return True


if __name__ == '__main__':
    sys.exit(0 if main(*sys.argv[1:]) else 1)
