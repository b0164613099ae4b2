/**
 * Detects whether changed settings would send a channel's secrets to a different server. Compares the settings as typed, before
 * placeholders are replaced.
 */
import { type HeaderValues, readHeaderLines } from '../carrier/header-lines.ts'
import type { SettingField } from './setting-fields.ts'

/** Typed or stored values, by field name. */
type Values<Value> = Readonly<Record<string, Value>>

/**
 * Whether the typed settings send messages to a different server than the stored ones, or with a different `Host` header. Servers that
 * share an address use that header to tell requests apart.
 */
export function sendsElsewhere(
  fields: readonly SettingField[],
  typed: Values<string>,
  stored: Values<unknown>,
): boolean {
  return namesOtherServer(fields, typed, stored) || namesOtherHost(fields, typed, stored)
}

function namesOtherServer(fields: readonly SettingField[], typed: Values<string>, stored: Values<unknown>): boolean {
  const addresses = fields.filter(({ isAddress, isSecret }) => isAddress && !isSecret)
  const known = new Set(addresses.map(({ name }) => serverIn(stored[name])))
  // Fields that are defaults for other fields are not compared themselves. Instead, each field that uses the default is compared, because
  // each may lead to a different server.
  const defaults = new Set(addresses.map(({ defaultsTo }) => defaultsTo))
  return addresses.some(({ name, defaultsTo }) => {
    const [from, to] = [stored, typed].map((values) => serverIn(values[name] || values[defaultsTo]))
    if (defaults.has(name) || !to) return false
    return from ? to !== from : !known.has(to)
  })
}

/** Returns the server in a URL, or null if the value is not a URL. */
function serverIn(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^https?:/i.test(text) ? (URL.parse(text)?.origin ?? text) : null
}

function namesOtherHost(fields: readonly SettingField[], typed: Values<string>, stored: Values<unknown>): boolean {
  return fields.some(({ name, kind }) => {
    if (kind.type !== 'headers') return false
    const before = (stored[name] ?? {}) as HeaderValues
    return hostHeader(readHeaderLines(typed[name] ?? '', before).headers) !== hostHeader(before)
  })
}

/** Returns the last `Host` header, which is the one that is sent; null if there is none. */
export function hostHeader(headers: HeaderValues): string | null {
  const named = Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'host')
  return named === undefined ? null : named[1].trim().toLowerCase()
}
