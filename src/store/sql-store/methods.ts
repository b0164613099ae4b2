/** Builds the store's methods from functions. Each method call is one transaction. */

import type { Author } from '../../domain/author.ts'
import { AuditTrail } from '../audit.ts'
import type { Sql, WriteKind } from '../sql/database.ts'

/** Runs `work` in a transaction and returns its result. `kind` applies only to writes. */
type Run<Result> = (work: (sql: Sql) => Promise<Result>, kind?: WriteKind) => Promise<Result>

type Functions<Given extends readonly unknown[], Result = unknown> = Readonly<
  Record<string, (...given: readonly [...Given, ...never[]]) => Promise<Result>>
>

/** The same functions without their first parameters, which the store provides. */
type Methods<Given extends readonly unknown[], Of extends Functions<Given>> = {
  readonly [Name in keyof Of]: Of[Name] extends (...given: [...Given, ...infer Rest]) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/** @param functions functions whose first parameter is the transaction @param kind kind of the write */
export function each<Result, Of extends Functions<[Sql], Result>>(
  run: Run<Result>,
  functions: Of,
  kind?: WriteKind,
): Methods<[Sql], Of> {
  return methodsOf<[Sql], Of, Result>(functions, (work) => run((sql) => work(sql), kind))
}

/**
 * Does the same as {@link each} for an author's changes.
 * @returns a function that takes functions whose first parameters are the transaction and the author's trail
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
  // A loop is used for speed, because the methods are rebuilt for each author's change.
  const methods: Record<string, (...rest: never[]) => Promise<Result>> = {}
  for (const name in functions) {
    const call = functions[name] as Functions<Given, Result>[string]
    methods[name] = (...rest) => run((...given) => call(...given, ...rest))
  }
  return methods as unknown as Methods<Given, Of>
}
