/** Takes secrets out of what receivers answer: services quote the key or the URL that they did not accept. */

export const MASK = '••••'

/** A shorter text is found in ordinary words. */
const SHORTEST = 4
/** Parts of a secret, such as the key in a URL, must be longer than ordinary words. */
const SHORTEST_PART = 8

/**
 * The text with {@link MASK} in the place of each secret, also where it is written as in URLs, JSON, HTML or base64, alone or in a login, and where only a
 * part of it stands: the path of a URL, the login in a header. Cut the text afterwards: half of a secret is not found.
 * @param secrets texts of four characters or more; shorter ones are not masked
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap((secret) => [secret, ...partsOf(secret)]).flatMap(formsOf))
  const wanted = [...forms].filter((form) => form.length >= SHORTEST).toSorted((a, b) => b.length - a.length)
  if (wanted.length === 0) return text
  const masked = text.replace(new RegExp(wanted.map(escapePattern).join('|'), 'gi'), MASK)
  const long = secrets.filter(({ length }) => length >= SHORTEST_PART)
  return masked.replace(BASE64, (word) => (holdsOneOf(long, word) ? MASK : word))
}

const BASE64 = /[\w+/-]{12,}={0,2}/g

/** A login is sent as `user:secret` in base64 (RFC 7617), where the secret alone is not found. */
function holdsOneOf(secrets: readonly string[], base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString()
  return secrets.some((secret) => text.includes(secret))
}

function partsOf(secret: string): readonly string[] {
  const words = secret.split(/\s+/)
  const inUrl = URL.canParse(secret) ? partsOfUrl(new URL(secret)) : []
  return [...(words.length > 1 ? words : []), ...inUrl].filter((part) => part.length >= SHORTEST_PART)
}

function partsOfUrl({ pathname, search, searchParams, username, password }: URL): readonly string[] {
  const login = [username, password].flatMap((each) => [each, decoded(each)])
  const path = pathname.split('/').flatMap((each) => [each, decoded(each)])
  return [pathname + search, pathname, ...path, ...searchParams.values(), ...login]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function formsOf(text: string): readonly string[] {
  const wellFormed = text.toWellFormed()
  return [
    text,
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    new URLSearchParams({ '': wellFormed }).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    // Without its padding, which a following text would change.
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
