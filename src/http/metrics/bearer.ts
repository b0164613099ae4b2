/** Returns the token of `Authorization: Bearer` (RFC 6750, 2.1); null without that header, or with another scheme. */
export function bearerToken(headers: Headers): string | null {
  return /^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}
