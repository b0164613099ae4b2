/** `shell`: a command on the machine of the operator, who has to allow it (behaviour of the peer, 5.5). */

import type { StoredStatus } from '../domain/check.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import type { ShellAnswer, ShellCommand } from '../domain/shell.ts'
import { splitTags } from '../domain/tags.ts'
import { isoSeconds } from '../domain/time.ts'
import { fill } from './placeholders.ts'
import { type ShellPlace, shellPieces, shellTemplateProblem } from './shell-template.ts'
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
 * What strangers wrote is handed over in variables. The shell does not parse what a variable holds, except where bash
 * takes it for arithmetic: templates with such places are refused, like those in which the quotes cannot be followed.
 * @throws Error with a sentence for such a template
 */
function render(alert: Alert, settings: Settings): ShellCommand {
  const command = template(settings, alert.flip.newStatus)
  const problem = shellTemplateProblem(command)
  if (problem !== null) throw new Error(problem)
  operatorSetting(alert, 'SHELL_ENABLED')
  const values = placeholders(alert)
  const assignments = values.flatMap(({ text, variable }) => (variable ? [`${variable}=${quoted(text)}`] : []))
  const filled = shellPieces(command).map(({ place, text: piece }) =>
    fill(piece, values, ({ text, variable }) => (variable ? EXPANSIONS[place](variable) : text)),
  )
  return { command: [...assignments, filled.join('')].join('\n') }
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

/** The variable as one argument, or as a part of the one that the quotes around it make. */
const EXPANSIONS: Readonly<Record<ShellPlace, (variable: string) => string>> = {
  plain: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
  // Nowhere: templates with one in `${…}` are refused, and what looks like a comment may be none in a here-document.
  parameter: () => '',
  comment: () => '',
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
