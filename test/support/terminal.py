"""Runs a command on a terminal of its own, and answers each of its questions in turn.

Usage: terminal.py ANSWERS COMMAND ARGUMENT...
ANSWERS is a JSON array of texts. Prints what was shown, and ends with the exit code of the command.
"""

import json
import os
import pty
import re
import sys

answers = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
asked = 0
while True:
    try:
        read = os.read(terminal, 4096)
    except OSError:  # Linux says so when the other side is closed.
        break
    if not read:
        break
    shown += read
    # A question ends with a colon or a bracket, and then the cursor is put behind it.
    while answers and len(re.findall(rb"[:\]] \x1b\[\d+G", shown)) > asked:
        asked += 1
        os.write(terminal, answers.pop(0).encode())

_, status = os.waitpid(child, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
