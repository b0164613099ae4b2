/** The words after a command: its arguments and options, and what is wrong with them. */
import { parseArgs } from 'node:util'
import { type Command, type Option, usageLine, type Values } from './command.ts'
import { suggest } from './suggest.ts'

/** A command line that is not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  constructor(
    message: string,
    /** what to do next */
    readonly hint: string,
    /** one line each, to choose from */
    readonly problems: readonly string[] = [],
  ) {
    super(message)
  }
}

/** What every command takes. */
export const COMMON_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const

export interface Arguments {
  readonly values: Values
  readonly positionals: readonly string[]
}

/** @throws UsageError; not with `--help`, which is answered whatever else is there */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const options: Record<string, Option & { short?: string }> = { ...command.options, ...COMMON_OPTIONS }
  const config = { ...options, help: { ...COMMON_OPTIONS.help, short: 'h' } }
  // Not strict, since the messages of a strict parser name neither the option that was meant nor the way to help.
  const parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: false, tokens: true })
  const values = parsed.values as Values
  if (values.help) return { values, positionals: parsed.positionals }
  for (const token of parsed.tokens) {
    if (token.kind === 'option') requireOption(command, options, token)
  }
  requirePositionals(command, parsed.positionals)
  return { values, positionals: parsed.positionals }
}

interface OptionToken {
  readonly name: string
  /** as it was typed, without its value */
  readonly rawName: string
  readonly value?: string | undefined
  /** true for `--name=value` */
  readonly inlineValue?: boolean | undefined
}

function requireOption(command: Command, options: Readonly<Record<string, Option>>, token: OptionToken): void {
  const { name, rawName, value, inlineValue } = token
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  const help = `see \`overdue ${command.words} --help\``
  if (!option) {
    const meant = suggest(name, Object.keys(options))
    throw new UsageError(`unknown option ${rawName}`, meant === null ? help : `did you mean --${meant}? Else ${help}`)
  }
  if (option.type === 'boolean' && value !== undefined) {
    throw new UsageError(`option ${rawName} takes no value`, help)
  }
  if (option.type === 'string' && value === undefined) throw new UsageError(`option ${rawName} needs a value`, help)
  if (option.type === 'string' && !inlineValue && value?.startsWith('-') && value !== '-') {
    const hint = `for a value that begins with a hyphen, write ${rawName}=${value}; ${help}`
    throw new UsageError(`option ${rawName} needs a value, not ${value}`, hint)
  }
}

function requirePositionals(command: Command, given: readonly string[]): void {
  const { takes = [] } = command
  const help = `see \`overdue ${command.words} --help\``
  const missing = takes.slice(given.length).filter((name) => !name.startsWith('['))
  if (missing.length > 0) {
    const names = new Intl.ListFormat('en').format(missing)
    throw new UsageError(`missing ${names}. Usage: ${usageLine(command)}`, help)
  }
  if (given.length > takes.length) {
    throw new UsageError(`unexpected argument "${given[takes.length]}". Usage: ${usageLine(command)}`, help)
  }
}
