/** `shell`: a command on the machine of the operator, who has to allow it (behaviour of the peer, 5.5). */

import type { StoredStatus } from '../domain/check.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import type { ShellAnswer, ShellCommand } from '../domain/shell.ts'
import { splitTags } from '../domain/tags.ts'
import { isoSeconds } from '../domain/time.ts'
import { fill } from './placeholders.ts'
import { type Alert, defineTransport, operatorSetting, type Verdict } from './transport.ts'

const Command = (title: string) =>
  Text({
    title,
    description:
      'For /bin/sh; empty: nothing is run. $CODE, $STATUS, $NOW, $NAME, $TAGS, $TAG1, $TAG2, … stand for the check.',
    maxLength: 1000,
    pattern: '^[^\\0]*$',
  })

const Settings = Type.Object({
  cmd_down: Command('Command when a check goes down'),
  cmd_up: Command('Command when a check comes up again'),
})
type Settings = Static<typeof Settings>

export const shell = defineTransport({
  kind: 'shell',
  carrier: 'shell',
  settings: Settings,
  wants: (settings, { newStatus }) => template(settings, newStatus) !== '',
  render,
  judge,
})

function template({ cmd_down, cmd_up }: Settings, status: StoredStatus): string {
  return status === 'down' ? cmd_down : cmd_up
}

/**
 * What strangers wrote is handed over in variables. The shell never parses what a variable holds, so wherever in the
 * command a placeholder stands, also in a here-document or in backticks, its value cannot become a command.
 */
function render(alert: Alert, settings: Settings): ShellCommand {
  operatorSetting(alert, 'SHELL_ENABLED')
  const values = placeholders(alert)
  const assignments = values.flatMap(({ text, variable }) => (variable ? [`${variable}=${quoted(text)}`] : []))
  const command = template(settings, alert.flip.newStatus).replace(PIECES, (piece) => {
    return fill(piece, values, ({ text, variable }) => (variable ? expansionIn(piece, variable) : text))
  })
  return { command: [...assignments, command].join('\n') }
}

interface Placeholder {
  readonly name: string
  readonly text: string
  /** null where the text is ours and harmless: it is written into the command as it is */
  readonly variable: string | null
}

function placeholders({ check, flip }: Alert): Placeholder[] {
  const harmless = (name: string, text: string) => ({ name, text, variable: null })
  const foreign = (name: string, text: string) => ({ name, text, variable: `overdue_${name.slice(1).toLowerCase()}` })
  return [
    harmless('$CODE', check.id),
    harmless('$STATUS', flip.newStatus),
    harmless('$NOW', isoSeconds(flip.createdAt)),
    foreign('$NAME', check.name),
    foreign('$TAGS', check.tags),
    ...splitTags(check.tags).map((tag, index) => foreign(`$TAG${index + 1}`, tag)),
  ]
}

/** An escaped character, a quoted string, or what stands between. A piece cut wrongly costs a space or a quote, no more. */
const PIECES = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\\'"]+/g

/** The variable as one argument, or as a part of the one that the quotes around it make. */
function expansionIn(piece: string, variable: string): string {
  if (piece.startsWith('"')) return `\${${variable}}`
  return piece.startsWith("'") ? `'"\${${variable}}"'` : `"\${${variable}}"`
}

/** POSIX 2.2.2: everything between single quotes is literal. No argument of a program can hold a NUL. */
function quoted(text: string): string {
  return `'${text.toWellFormed().replaceAll('\0', '').replaceAll("'", "'\\''")}'`
}

function judge(answer: ShellAnswer): Verdict {
  if (answer.kind === 'exited' && answer.status === 0) return { kind: 'sent' }
  const error = answer.kind === 'exited' ? `Command returned exit code ${answer.status}` : answer.error
  return { kind: 'retry', error, retryAfterSeconds: null }
}
