/** Methods of the store, made of the functions of its nouns: each call is one transaction. */

import type { Author } from '../../domain/author.ts'
import { AuditTrail } from '../audit.ts'
import type { Sql, WriteKind } from '../sql/database.ts'

/** What runs a transaction. */
type Run = (work: (sql: Sql) => Promise<never>, kind?: WriteKind) => Promise<never>

type Functions<Given extends readonly unknown[]> = Readonly<
  Record<string, (...given: readonly [...Given, ...never[]]) => Promise<unknown>>
>

/** The same functions without their first parameters, which the store gives them. */
type Methods<Given extends readonly unknown[], Of extends Functions<Given>> = {
  readonly [Name in keyof Of]: Of[Name] extends (...given: [...Given, ...infer Rest]) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/** @param functions of which each takes the transaction first @param kind of a write */
export function each<Of extends Functions<[Sql]>>(run: Run, functions: Of, kind?: WriteKind): Methods<[Sql], Of> {
  return methodsOf<[Sql], Of>(functions, (work) => run((sql) => work(sql), kind))
}

/**
 * As {@link each}, for the changes of an author.
 * @returns a function whose own functions take the transaction and the author's trail first
 */
export function audited(author: Author) {
  return <Of extends Functions<[Sql, AuditTrail]>>(run: Run, functions: Of): Methods<[Sql, AuditTrail], Of> =>
    methodsOf<[Sql, AuditTrail], Of>(functions, (work) => run((sql) => work(sql, new AuditTrail(sql, author))))
}

function methodsOf<Given extends readonly unknown[], Of extends Functions<Given>>(
  functions: Of,
  run: (work: (...given: Given) => Promise<never>) => Promise<unknown>,
): Methods<Given, Of> {
  const methods = Object.entries(functions).map(([name, call]) => [
    name,
    (...rest: never[]) => run((...given) => call(...given, ...rest) as Promise<never>),
  ])
  return Object.fromEntries(methods) as Methods<Given, Of>
}
