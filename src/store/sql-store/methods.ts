/** Builds methods of the store from the functions of its nouns: each call is one transaction. */

import type { Author } from '../../domain/author.ts'
import { AuditTrail } from '../audit.ts'
import type { Sql, WriteKind } from '../sql/database.ts'

/** A function that runs a transaction of this kind and returns its result. */
type Run<Result> = (work: (sql: Sql) => Promise<Result>, kind?: WriteKind) => Promise<Result>

type Functions<Given extends readonly unknown[], Result = unknown> = Readonly<
  Record<string, (...given: readonly [...Given, ...never[]]) => Promise<Result>>
>

/** The same functions without their first parameters, which the store passes. */
type Methods<Given extends readonly unknown[], Of extends Functions<Given>> = {
  readonly [Name in keyof Of]: Of[Name] extends (...given: [...Given, ...infer Rest]) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/** @param functions the functions, each of which takes the transaction first @param kind the kind of a write */
export function each<Result, Of extends Functions<[Sql], Result>>(
  run: Run<Result>,
  functions: Of,
  kind?: WriteKind,
): Methods<[Sql], Of> {
  return methodsOf<[Sql], Of, Result>(functions, (work) => run((sql) => work(sql), kind))
}

/**
 * Does the same as {@link each}, for the changes of an author.
 * @returns a function whose own functions take the transaction and the author's trail first
 */
export function audited(author: Author) {
  return <Result, Of extends Functions<[Sql, AuditTrail], Result>>(
    run: Run<Result>,
    functions: Of,
  ): Methods<[Sql, AuditTrail], Of> =>
    methodsOf<[Sql, AuditTrail], Of, Result>(functions, (work) => run((sql) => work(sql, new AuditTrail(sql, author))))
}

function methodsOf<Given extends readonly unknown[], Of extends Functions<Given, Result>, Result>(
  functions: Of,
  run: (work: (...given: Given) => Promise<Result>) => Promise<Result>,
): Methods<Given, Of> {
  // A loop, because each change by an author builds its methods anew.
  const methods: Record<string, (...rest: never[]) => Promise<Result>> = {}
  for (const name in functions) {
    const call = functions[name] as Functions<Given, Result>[string]
    methods[name] = (...rest) => run((...given) => call(...given, ...rest))
  }
  return methods as unknown as Methods<Given, Of>
}
