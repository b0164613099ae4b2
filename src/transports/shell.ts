/** `shell`: a command on the server's machine, which the operator must allow. */

import { flipAdviceText } from '../domain/alert/flip-sentence.ts'
import type { ShellAnswer, ShellCommand } from '../domain/carrier/shell.ts'
import type { Mistakes, SettingValues } from '../domain/channel/typed-settings.ts'
import type { StoredStatus } from '../domain/check/check.ts'
import { splitTags } from '../domain/check/tags.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { quoteForShell, storable } from '../lib/text/text.ts'
import { flipTime } from './parts/flip-time.ts'
import { fill } from './parts/placeholders.ts'
import { type ShellPlace, shellPieces, shellTemplateProblem } from './parts/shell-template.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, operatorSetting } from './transport.ts'

const Command = (title: string) =>
  Text({
    title,
    description:
      'For /bin/sh; an empty one runs nothing. $CODE, $STATUS, $NOW, $NAME, $TAGS, $TAG1, $TAG2, …, $ADVICE describe the check.',
    maxLength: 1000,
    pattern: '^[^\\0]*$',
    lines: 3,
  })

const Settings = Type.Object({
  cmd_down: Command('Command when a check goes down'),
  cmd_up: Command('Command when a check recovers'),
})
type Settings = Static<typeof Settings>

export const shell = defineTransport({
  kind: 'shell',
  name: 'Command',
  mark: '$_',
  about: 'on this server',
  carrier: 'shell',
  settings: Settings,
  mistakes: commandMistakes,
  reads: [{ name: 'SHELL_ENABLED', example: 'True', type: 'flag' }],
  sample: sampleOf(
    { cmd_down: `exit 3 # ${sampleSecret('shell')}`, cmd_up: '' },
    { cmd_down: 'echo "$NAME', cmd_up: 'echo `$NAME`' },
  ),
  wants: (settings, { newStatus }) => template(settings, newStatus) !== '',
  render,
  judge,
})

function commandMistakes(values: SettingValues): Mistakes {
  const found = (['cmd_down', 'cmd_up'] as const).flatMap((name) => {
    const problem = shellTemplateProblem(String(values[name] ?? ''))
    return problem === null ? [] : [[name, `${capitalized(problem)}.`] as const]
  })
  return Object.fromEntries(found)
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function template({ cmd_down, cmd_up }: Settings, status: StoredStatus): string {
  return status === 'down' ? cmd_down : cmd_up
}

/**
 * Renders a command. Values from users are passed in variables. A shell doesn't parse a variable's value, except where bash evaluates
 * arithmetic. Templates with such places are rejected, and so are templates whose quotes are unclear.
 * @throws Error with a sentence about such a template
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
  /** variable that contains the value; null for harmless text from this program, which is written into the command itself */
  readonly variable: string | null
}

function placeholders(alert: Alert): Placeholder[] {
  const { check, flip } = alert
  const harmless = (name: string, text: string) => ({ name, text, variable: null })
  const untrusted = (name: string, text: string) => ({ name, text, variable: `overdue_${name.slice(1).toLowerCase()}` })
  return [
    harmless('$CODE', check.id),
    harmless('$STATUS', flip.newStatus),
    harmless('$NOW', flipTime(alert)),
    untrusted('$NAME', check.name),
    untrusted('$TAGS', check.tags),
    untrusted('$ADVICE', flipAdviceText(alert, alert.now) ?? ''),
    ...splitTags(check.tags).map((tag, index) => untrusted(`$TAG${index + 1}`, tag)),
  ]
}

/** Expands the variable as a separate argument, or as part of the argument inside the surrounding quotes. */
const EXPANSIONS: Readonly<Record<ShellPlace, (variable: string) => string>> = {
  plain: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
  // Always empty: templates with a placeholder in `${…}` are rejected, and what looks like a comment may be part of a here-document.
  parameter: () => '',
  comment: () => '',
}

/** Quotes an argument. The argument can't contain NUL. */
function quoted(text: string): string {
  return quoteForShell(storable(text))
}

function judge(answer: ShellAnswer): Conclusion {
  if (answer.kind === 'exited' && answer.status === 0) return { kind: 'sent' }
  const error = answer.kind === 'exited' ? `Command returned exit code ${answer.status}` : answer.error
  return { kind: 'retry', error, retryAfterSeconds: null }
}
