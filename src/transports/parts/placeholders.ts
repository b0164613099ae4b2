/** Fills in placeholders such as `$NAME` in webhook requests and shell commands. */

/** Replaces placeholders in one pass, so inserted values are not searched again. At each `$`, the values are tried in order. */
export function fill<Value extends { readonly name: string }>(
  template: string,
  values: readonly Value[],
  write: (value: Value) => string,
): string {
  return template.replace(/\$[^$]*/g, (piece) => {
    const found = values.find(({ name }) => piece.startsWith(name))
    return found ? write(found) + piece.slice(found.name.length) : piece
  })
}
