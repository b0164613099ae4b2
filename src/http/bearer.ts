/** Keys in the `Authorization` header. */

/** What a `Bearer` header carries (RFC 6750, 2.1); null when there is none, or one of another scheme. */
export function bearerToken(headers: Headers): string | null {
  return /^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}
