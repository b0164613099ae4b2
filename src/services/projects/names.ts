/** Validates names that users enter. */
import { Refusal } from '../../domain/errors.ts'
import { KEY_NAME_LIMIT, KeyName, PROJECT_NAME_LIMIT, ProjectName } from '../../domain/project.ts'
import { firstProblem, type TSchema } from '../../domain/schema.ts'

interface NameRule {
  readonly schema: TSchema
  /** maximum length, in characters */
  readonly limit: number
  /** how error messages refer to the name, such as `the name of the project` */
  readonly what: string
  /** error message about the length */
  readonly length: string
}

export const PROJECT_NAMES: NameRule = {
  schema: ProjectName,
  limit: PROJECT_NAME_LIMIT,
  what: 'the name of the project',
  length: `a project needs a name of 1 to ${PROJECT_NAME_LIMIT} characters`,
}

export const KEY_NAMES: NameRule = {
  schema: KeyName,
  limit: KEY_NAME_LIMIT,
  what: 'the name of the key',
  length: `the name of a key has at most ${KEY_NAME_LIMIT} characters`,
}

/** @throws Refusal `name-invalid` */
export function requireName({ schema, limit, what, length }: NameRule, name: string): void {
  const problem = firstProblem(schema, name)
  if (!problem) return
  const message =
    problem.violation === 'bad character' ? `${what} contains a NUL character or half of a surrogate pair` : length
  throw new Refusal('name-invalid', message, { limit })
}
