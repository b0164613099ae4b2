import { expect, test } from 'bun:test'
import { hiddenStatuses, statusesHiddenBy } from '../../../../src/import/proposals/command/exit-status.ts'
import type { CommandPlace } from '../../../../src/import/proposals/command/hidden-status.ts'

/** Returns the first finding about a line, which `sh` reads in units and manifests. */
function said(place: CommandPlace, line: string, shell = 'sh') {
  const [first] =
    place === 'crontab' ? hiddenStatuses(line, `/bin/${shell}`) : statusesHiddenBy([shell, '-c', line], place)
  return first
}

test.each<[CommandPlace, string, string, string]>([
  [
    'crontab',
    'sh',
    '/opt/a | gzip > x',
    'Let bash run it, by `SHELL=/bin/bash` above the line, and begin it with `set -o pipefail;`.',
  ],
  ['crontab', 'bash', '/opt/a | gzip > x', 'Begin it with `set -o pipefail;`.'],
  ['crontab', 'sh', "sh -c '/opt/a | gzip > x'", 'Begin it by `bash -o pipefail -c` in place of `sh -c`.'],
  ['crontab', 'bash', "ssh host '/opt/a | gzip > x'", "Let bash run the command of `ssh`: `bash -o pipefail -c '…'`."],
  ['unit', 'sh', '/opt/a | gzip > x', 'Begin it by `bash -o pipefail -c` in place of `sh -c`.'],
  ['unit', 'bash', '/opt/a | gzip > x', 'Begin it with `set -o pipefail;`.'],
  [
    'manifest',
    'sh',
    '/opt/a | gzip > x',
    'Begin it by `bash -o pipefail -c` in place of `sh -c`, or by `sh -o pipefail -c` if the image is of Alpine.',
  ],
  [
    'crontab',
    'bash',
    '/opt/a | grep -v x',
    'Begin it with `set -o pipefail;`. Write `grep` there as `{ grep … || [ $? -eq 1 ]; }`, so that no matching line is not a failure.',
  ],
  [
    'unit',
    'bash',
    '/opt/a | grep -v x',
    'Begin it with `set -o pipefail;`. Write `grep` there as `{ grep … || [ $$? -eq 1 ]; }`, so that no matching line is not a failure.',
  ],
  [
    'unit',
    'bash',
    '/opt/a; /opt/b',
    'Join them by `&&`, begin the command with `set -e;`, or keep the status: `job; s=$$?; other; exit $$s`.',
  ],
  ['unit', 'sh', '[[ -f x ]] && /opt/a', 'Begin it by `bash -c` in place of `sh -c`.'],
  ['crontab', 'sh', '[[ -f x ]] && /opt/a', 'Let bash run it, by `SHELL=/bin/bash` above the line.'],
  ['crontab', 'sh', '/opt/a &>> log', 'Write `>> FILE 2>&1`.'],
])('in a %s, %s is told of %p what can be done there', (place, shell, line, advice) => {
  expect(said(place, line, shell)?.advice).toBe(advice)
})

test('nothing that is told in units and manifests is about lines of a crontab', () => {
  const lines = [
    'a; b',
    'a | b',
    'a &',
    '[ -f x ] && a',
    '[ -f x ] || exit 0; a',
    'a &> x',
    'test -x /a || exit 0; /a',
    'find . -exec a \\;',
  ]
  for (const place of ['unit', 'manifest'] as const)
    for (const line of lines) {
      const words = Object.values(said(place, line) ?? {}).join(' ')
      expect(words).not.toBe('')
      expect(words).not.toMatch(/crontab|SHELL=|\bthe line (?:ends|wait|as it is)/)
    }
})
