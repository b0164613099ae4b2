/** Finds the check that a rejected address was meant for, and the part of the address that is wrong. */
import { REFUSED_MAIL } from '../domain/cause/refused.ts'
import type { SignalTarget } from '../domain/ping/signal.ts'
import { LOOSE_UUID, parseLooseUuid } from '../lib/secrets/uuid.ts'

interface RefusedRecipient {
  readonly target: SignalTarget
  /** like `lastTail` of `RefusedSignals`, but not truncated */
  readonly tail: string
}

/** @param reason why the address was rejected, see `parseRecipient` @returns null if the address names no check */
export function refusedRecipient(address: string, reason: 'wrong-domain' | 'bad-mailbox'): RefusedRecipient | null {
  const at = address.lastIndexOf('@')
  const mailbox = address.slice(0, Math.max(at, 0))
  const named = namedById(mailbox) ?? namedBySlug(mailbox)
  if (named === null) return null
  const { target, behind } = named
  const wrong = reason === 'wrong-domain' ? address.slice(at) : behind
  return { target, tail: REFUSED_MAIL + wrong }
}

interface Named {
  readonly target: SignalTarget
  /** the text after the check's name; '' if the name is malformed */
  readonly behind: string
}

const BY_ID = new RegExp(`(?<![\\da-f])(${LOOSE_UUID})(?![\\da-f])(.*)$`, 'is')

function namedById(mailbox: string): Named | null {
  const [, written = '', behind = ''] = BY_ID.exec(mailbox.slice(0, MAILBOX_READ)) ?? []
  const id = parseLooseUuid(written)
  return id === null ? null : { target: { kind: 'id', id }, behind: mailbox.startsWith(written) ? behind : '' }
}

/** Maximum number of UTF-16 units that are read. A mailbox has at most 64 (RFC 5321, 4.5.3.1.1), but clients may send more. */
const MAILBOX_READ = 200

function namedBySlug(mailbox: string): Named | null {
  const [, pingKey, slug, behind = ''] = /^([-\w]{22})\+([-\w]+)(.*)$/s.exec(mailbox) ?? []
  if (pingKey === undefined || slug === undefined) return null
  return { target: { kind: 'slug', pingKey, slug: slug.toLowerCase(), create: false }, behind }
}
