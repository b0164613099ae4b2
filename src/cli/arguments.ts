/** Parses the arguments and options of a command. */
import { parseArgs } from 'node:util'
import { suggest } from '../lib/text/suggest.ts'
import { type Command, type Lists, type Option, usageLine, type Values } from './command.ts'
import { usageError } from './usage.ts'

/** Options that every command has. */
export const COMMON_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const

export interface Arguments {
  readonly values: Values
  readonly lists: Lists
  readonly positionals: readonly string[]
}

/** @throws Refusal `usage`, but never with `--help`, which works even if the other arguments are wrong */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const options: Record<string, Option & { short?: string }> = { ...command.options, ...COMMON_OPTIONS }
  const config = { ...options, help: { ...COMMON_OPTIONS.help, short: 'h' } }
  // The parser runs in non-strict mode, because its own error messages neither suggest an option nor mention --help.
  const parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: false, tokens: true })
  const values = parsed.values as Values
  const lists = readLists(options, parsed.tokens)
  if (values.help) return { values, lists, positionals: parsed.positionals }
  for (const token of parsed.tokens) {
    if (token.kind === 'option') requireOption(command, options, token)
  }
  requirePositionals(command, parsed.positionals)
  requireOptions(command, values)
  return { values, lists, positionals: parsed.positionals }
}

function readLists(options: Readonly<Record<string, Option>>, tokens: readonly Token[]): Lists {
  const names = Object.keys(options).filter((name) => options[name]?.isList)
  const valuesOf = (name: string) =>
    tokens.flatMap((token) => (token.kind === 'option' && token.name === name ? (token.value ?? []) : []))
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)]))
}

type Token = { readonly kind: 'positional' | 'option-terminator' } | ({ readonly kind: 'option' } & OptionToken)

interface OptionToken {
  readonly name: string
  /** the option as the user typed it, without its value */
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
    throw usageError(`unknown option ${rawName}`, meant === null ? help : `did you mean --${meant}? Otherwise ${help}`)
  }
  if (option.type === 'boolean' && value !== undefined) {
    throw usageError(`option ${rawName} does not take a value`, help)
  }
  if (option.type === 'string' && value === undefined) throw usageError(`option ${rawName} needs a value`, help)
  if (option.type === 'string' && !inlineValue && value?.startsWith('-') && value !== '-') {
    const hint = `if the value begins with a hyphen, write ${rawName}=${value}; ${help}`
    throw usageError(`option ${rawName} needs a value, not ${value}`, hint)
  }
}

function requireOptions(command: Command, values: Values): void {
  const required = Object.entries(command.options ?? {}).filter(([, option]) => option.required)
  const missing = required.map(([name]) => name).filter((name) => values[name] === undefined)
  if (missing.length === 0) return
  const names = new Intl.ListFormat('en').format(missing.map((name) => `--${name}`))
  const message = `${names} ${missing.length === 1 ? 'is' : 'are'} missing`
  throw usageError(message, `see \`overdue ${command.words} --help\``)
}

function requirePositionals(command: Command, given: readonly string[]): void {
  const { takes = [] } = command
  const help = `see \`overdue ${command.words} --help\``
  const missing = takes.slice(given.length).filter((name) => !name.startsWith('['))
  if (missing.length > 0) {
    const names = new Intl.ListFormat('en').format(missing)
    throw usageError(`missing ${names}. Usage: ${usageLine(command)}`, help)
  }
  const takesMore = takes.at(-1)?.endsWith('...') ?? false
  if (given.length > takes.length && !takesMore) {
    throw usageError(`unexpected argument "${given[takes.length]}". Usage: ${usageLine(command)}`, help)
  }
}
