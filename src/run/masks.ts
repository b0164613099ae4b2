/** Masks are patterns for text in the output that must not leave this machine. */

const MASKED = '***'

/** Compiles a mask's pattern. @throws SyntaxError if it is not a regular expression */
export function maskOf(pattern: string): RegExp {
  return new RegExp(pattern, 'g')
}

/** Returns a pattern that matches a secret, both as plain text and URL-encoded. */
export function maskOfSecret(secret: string): RegExp {
  const forms = new Set([secret, encodeURIComponent(secret)])
  return new RegExp([...forms].map((form) => RegExp.escape(form)).join('|'), 'g')
}

/** Replaces matches of the masks with {@link MASKED}, line by line. If nothing matches, bytes that are not UTF-8 are left unchanged. */
export function masked(text: Buffer, masks: readonly RegExp[]): Buffer {
  if (masks.length === 0) return text
  const plain = text.toString()
  const result = plain
    .split('\n')
    .map((line) => masks.reduce(maskedLine, line))
    .join('\n')
  return result === plain ? text : Buffer.from(result)
}

function maskedLine(line: string, mask: RegExp): string {
  return line.replace(mask, (match) => (match === '' ? '' : MASKED))
}
