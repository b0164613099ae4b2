/** `$NAME` and the like in what users write themselves: requests of webhooks, commands of the shell. */

/** One pass: what a value brings in is never looked at again. The values are tried in their order at each `$`. */
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
