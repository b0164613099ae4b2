/** Returns the token in `Authorization: Bearer` (RFC 6750, 2.1); null if the header is missing or uses another scheme. */
export function bearerToken(headers: Headers): string | null {
  return /^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}
