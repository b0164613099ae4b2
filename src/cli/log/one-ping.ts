/** Implements `overdue log CHECK N`, which prints one ping and its body. */
import { ignoredWords, PING_WORDS } from '../../domain/log/line-words.ts'
import { isoSeconds } from '../../lib/time.ts'
import { exactWords } from '../../lib/time-words.ts'
import { findOriginal, type OpenedBody, type OpenedPing, openPing } from '../../services/pings/opened-ping.ts'
import { openCheck } from '../check/find-check.ts'
import type { Context } from '../command.ts'
import type { Cell, Table } from '../terminal/screen.ts'
import { optionError } from '../usage.ts'
import { representPing } from './lines.ts'

/** Prints a ping. On a terminal, prints the body as text, and decodes it if it is an email. In a pipe, writes the original bytes. */
export async function printPing(context: Context): Promise<undefined> {
  const { positionals, values, zone, isOnTerminal, print, printBeside } = context
  const n = readNumber(positionals[1] ?? '')
  const { deps, actor, found } = await openCheck(context)
  const opened = await openPing(deps, actor, found.check, n)
  const { entry, body, hasOriginal } = opened
  const json = { at: isoSeconds(entry.receivedAt), ...representPing(entry), body: textOf(body) }
  const facts = factsOf(opened, zone())
  if (isOnTerminal || values.json === true || !hasOriginal) {
    print(json, [facts, '', textOf(body) ?? absentWords(body)])
  } else await printBeside(json, [facts], (await findOriginal(deps, actor, found.check, n)).bytes)
}

function readNumber(typed: string): number {
  if (/^[1-9]\d{0,14}$/.test(typed)) return Number(typed)
  throw optionError(`"${typed}" is not the number of a ping`, '`overdue log CHECK` lists the pings with their numbers')
}

function factsOf({ entry, body }: OpenedPing, tz: string): Table {
  const { kind, n, receivedAt, occurredAt, exitStatus, remoteAddr, scheme, method, ua, rid } = entry
  const ignored = ignoredWords(entry)
  const rows: [string, Cell][] = [
    ['ping', `${PING_WORDS[kind]} #${n}${ignored === '' ? '' : `, ${ignored}`}`],
    ...(occurredAt === null ? [] : [['happened', exactWords(occurredAt.epochMilliseconds, tz)] as [string, Cell]]),
    ['received', exactWords(receivedAt.epochMilliseconds, tz)],
    ...(exitStatus === null ? [] : [['exit status', String(exitStatus)] as [string, Cell]]),
    ['from', `${remoteAddr ?? 'unknown address'}, ${[scheme, method].filter((word) => word !== '').join(' ')}`],
    ['agent', ua || null],
    ...(rid === null ? [] : [['run', { id: rid }] as [string, Cell]]),
    ...(body.kind === 'email'
      ? ([
          ['from', body.mail.from],
          ['subject', body.mail.subject],
        ] as [string, Cell][])
      : []),
  ]
  return { rows }
}

/** Returns null if there is no text to show. */
function textOf(body: OpenedBody): string | null {
  if (body.kind === 'text') return body.text
  return body.kind === 'email' ? body.mail.text : null
}

function absentWords(body: OpenedBody): string {
  if (body.kind === 'none') return 'No body.'
  if (body.kind === 'email')
    return 'The email has no plain text. If the output goes to a pipe or a file, the command prints the entire email.'
  if (body.kind === 'text') return ''
  return `The body (${body.bytes} bytes) was dropped, because the bodies in a check's log are limited to ${body.limit} bytes.`
}
