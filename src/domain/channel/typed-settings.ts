/** Converts a channel's settings to the text of form fields, and back. */
import { isPrivateHost } from '../../lib/network/public-address.ts'
import { type HeaderValues, HIDDEN, headerLines, headerLinesAgain, readHeaderLines } from '../carrier/header-lines.ts'
import { listProblems, type Problem, type TObject } from '../schema.ts'
import { sendsElsewhere } from './destinations.ts'
import { type SettingField, settingFields } from './setting-fields.ts'

/** Text in each form field, by field name; `on` for a switch that is on. */
export type Typed = Readonly<Record<string, string>>
/** Setting values that match the channel kind's schema. */
export type SettingValues = Readonly<Record<string, unknown>>
/** Error messages for invalid fields, by field name. */
export type Mistakes = Readonly<Record<string, string>>

interface ReadSettings {
  /** values that match the schema if there are no mistakes */
  readonly values: SettingValues
  readonly mistakes: Mistakes
}

/** Returns the key of {@link Typed} that is `on` if the user removes a stored secret. No setting has this name. */
export function removalOf(name: string): string {
  return `${name} removed`
}

/** Returns the names of the stored secrets. If a secret's field is left empty, the stored secret is kept. */
export function storedSecrets(fields: readonly SettingField[], stored: SettingValues): readonly string[] {
  return fields
    .filter(({ name, kind, isSecret }) => isSecret && kind.type !== 'headers' && Boolean(stored[name]))
    .map(({ name }) => name)
}

/** Returns the stored values for a form, without secrets. */
export function shownSettings(fields: readonly SettingField[], stored: SettingValues): Typed {
  return Object.fromEntries(fields.map((field) => [field.name, shownValue(field, stored[field.name])]))
}

/** Returns the initial values of an empty form. */
export function initialSettings(fields: readonly SettingField[]): Typed {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))
}

function shownValue({ kind, isSecret, initial }: SettingField, value: unknown): string {
  if (kind.type === 'headers') return headerLines(recordOf(value))
  if (isSecret) return ''
  if (kind.type === 'switch') return (value ?? initial === 'on') === true ? 'on' : ''
  if (kind.type === 'choice') {
    return kind.options.find((option) => option.value === value)?.text ?? (value === undefined ? initial : '')
  }
  if (kind.type === 'list') return Array.isArray(value) ? value.join('\n') : ''
  return value === undefined || value === null ? '' : String(value)
}

/**
 * @param stored the secrets for fields that were left empty, and settings that the form does not show; null for a new channel. Secrets are
 * not kept if they would be sent to a different server, because a user who may not see them could otherwise send them to their own server
 */
export function readSettings(schema: TObject, typed: Typed, stored: SettingValues | null): ReadSettings {
  const fields = settingFields(schema)
  const mistakes: Record<string, string> = {}
  const isElsewhere = stored !== null && sendsElsewhere(fields, typed, stored)
  const asked = new Set(fields.map(({ name }) => name))
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(stored ?? {})) if (!asked.has(name)) values[name] = value
  for (const field of fields) {
    const text = typed[field.name] ?? ''
    const isRemoved = typed[removalOf(field.name)] === 'on'
    const kept = isRemoved || isElsewhere ? undefined : stored?.[field.name]
    const { value, mistake = null } = readField(field, text, kept)
    if (value !== undefined) values[field.name] = value
    if (mistake !== null) mistakes[field.name] = mistake
    if (isElsewhere && !isRemoved && wantsKept(field, text, stored)) mistakes[field.name] = ELSEWHERE
  }
  for (const problem of listProblems(schema, values, MAX_PROBLEMS)) {
    const [, name = ''] = problem.path.split('/')
    const field = fields.find((known) => known.name === name)
    mistakes[name] ??= field
      ? mistakeWords(problem, field, typed[name] ?? '')
      : 'The stored settings have an unknown field.'
  }
  return { values, mistakes }
}

const MAX_PROBLEMS = 50
const ELSEWHERE = 'The address or the Host header belongs to another server, so type the hidden values again.'

function wantsKept({ name, kind, isSecret }: SettingField, text: string, stored: SettingValues): boolean {
  if (kind.type === 'headers') return text.includes(HIDDEN)
  return isSecret && text.trim() === '' && Boolean(stored[name])
}

/**
 * Returns the typed hosts, by field name, that belong to a private network or to this machine. Omits fields that were left empty to keep a
 * stored secret.
 */
export function privateHosts(fields: readonly SettingField[], typed: Typed): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, isAddress } of fields) {
    const url = isAddress ? URL.parse((typed[name] ?? '').trim()) : null
    if (url !== null && isPrivateHost(url.hostname)) found[name] = url.hostname
  }
  return found
}

function readField(field: SettingField, text: string, stored: unknown): { value: unknown; mistake?: string | null } {
  const { kind, isSecret, isOptional } = field
  switch (kind.type) {
    case 'headers': {
      const { headers, mistake } = readHeaderLines(text, recordOf(stored))
      return { value: headers, mistake }
    }
    case 'switch':
      return { value: text === 'on' }
    case 'choice': {
      const chosen = kind.options.find((option) => option.text === text)
      return { value: chosen === undefined ? text : chosen.value }
    }
    case 'several':
      return { value: text }
    case 'list':
      return { value: text.split(/[\r\n]+/).flatMap((line) => line.trim() || []) }
    case 'number':
      return { value: text.trim() === '' ? undefined : numberIn(text.trim()) }
    case 'text': {
      const typed = kind.lines > 1 ? text.replaceAll('\r\n', '\n') : text.trim()
      if (typed === '' && isSecret && stored !== undefined) return { value: stored }
      if (typed === '' && isOptional) return { value: undefined }
      return { value: kind.isNumeric ? numberIn(typed) : typed }
    }
  }
}

/** Returns the number, or the string itself if it is not a whole number. */
function numberIn(text: string): number | string {
  const number = Number(text)
  return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text
}

function recordOf(value: unknown): HeaderValues {
  return typeof value === 'object' && value !== null ? (value as HeaderValues) : {}
}

function mistakeWords(
  { violation, means, accepted, path }: Problem,
  { kind, title }: SettingField,
  text: string,
): string {
  if (text.trim() === '' && kind.type !== 'choice') return `Fill in: ${title}.`
  if (violation === 'too long') return `This is too long: ${accepted ?? 'write less'}.`
  if (kind.type === 'number') return `Write a whole number${accepted === undefined ? '' : ` from ${accepted}`}.`
  if (kind.type === 'choice') return 'Choose one from the list.'
  if (kind.type === 'text' && kind.isZone) return 'Write the name of a time zone, such as Europe/Riga.'
  if (violation === 'bad character') return 'That contains characters that cannot be stored.'
  if (kind.type === 'headers') return 'A header has a value that is too long: at most 1000 characters.'
  if (kind.type === 'list') return `Line ${Number(path.split('/')[2] ?? 0) + 1} is too long: at most 50 characters.`
  return means === undefined ? 'That is not in the expected format.' : `That is not ${means}.`
}

interface TypedAgain {
  readonly typed: Typed
  readonly mistakes: Mistakes
}

/** Returns the form to show after a mistake. Typed secrets are removed, with a note to type them again. */
export function settingsAgain(fields: readonly SettingField[], typed: Typed, found: Mistakes): TypedAgain {
  const again: Record<string, string> = { ...typed }
  const mistakes: Record<string, string> = { ...found }
  for (const { name, kind, isSecret } of fields) {
    const text = typed[name] ?? ''
    if (kind.type === 'headers') {
      const { text: kept, lost } = headerLinesAgain(text)
      again[name] = kept
      if (lost.length > 0) mistakes[name] ??= `Type the value of ${lost.join(' and ')} again: it is not shown.`
    } else if (isSecret) {
      again[name] = ''
      if (text !== '') mistakes[name] = `${mistakes[name] ?? 'It is not shown.'} Type it again.`
    }
  }
  return { typed: again, mistakes }
}
