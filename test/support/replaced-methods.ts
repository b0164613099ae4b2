/** A store, or an author's writes, with some methods replaced. */

export type OtherMethods<Of> = { readonly [Noun in keyof Of]?: Partial<Of[Noun]> }

export function replaced<Of extends object>(store: Of, methods: OtherMethods<Of>): Of {
  const nouns = Object.entries(methods).map(([noun, others]) => [
    noun,
    { ...store[noun as keyof Of], ...(others as object) },
  ])
  return { ...store, ...Object.fromEntries(nouns) }
}
