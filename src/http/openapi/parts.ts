/** The pieces that an OpenAPI document is made of, as far as ours needs them (OpenAPI 3.1.1, section 4.8). */
import { Text, type TSchema } from '../../domain/schema.ts'

export type Method = 'get' | 'head' | 'post' | 'delete'

export interface Reference {
  readonly $ref: string
}

export interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema: TSchema | Reference
  /** by name */
  readonly examples?: Readonly<Record<string, Example>>
}

export interface Header {
  readonly description: string
  readonly schema: TSchema
  readonly example: string | number
}

export interface Link {
  readonly operationId: string
  readonly description: string
  /** by name: runtime expressions, or constants */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** by name */
  readonly headers?: Readonly<Record<string, Reference>>
  /** by media type */
  readonly content?: Readonly<Record<string, MediaType>>
  /** by name */
  readonly links?: Readonly<Record<string, Link>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: TSchema
  readonly explode?: boolean
  readonly examples: Readonly<Record<string, Example>>
}

export interface RequestBody {
  readonly description: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  /** by status */
  readonly responses: Readonly<Record<string, Answer | Reference>>
}

export type PathItem = Readonly<Partial<Record<Method, Operation>>>
/** by path template */
export type Paths = Readonly<Record<string, PathItem>>

/** Points at a schema of the components. */
export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

/** Points at headers of the components, each under its own name. */
export function headerRefs(...names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Points at an answer of the components. */
export function answerRef(name: string): Reference {
  return { $ref: `#/components/responses/${name}` }
}

/** @param examples values by what they show */
export function json(schema: MediaType['schema'], examples: Readonly<Record<string, unknown>>): Answer['content'] & {} {
  return { 'application/json': { schema, examples: named(examples) } }
}

/** @param said what it says, by when it says so */
export function plainText(
  description: string,
  said: Readonly<Record<string, string>>,
  headers?: Answer['headers'],
): Answer {
  const content = { 'text/plain': { schema: Text(), examples: named(said) } }
  return { description, ...(headers ? { headers } : {}), content }
}

/** Examples under names a URL can hold, made from what they show. */
export function named(examples: Readonly<Record<string, unknown>>): Readonly<Record<string, Example>> {
  const entries = Object.entries(examples).map(
    ([summary, value]) => [summary.replace(/[^A-Za-z0-9]+/g, '-'), { summary, value }] as const,
  )
  return Object.fromEntries(entries)
}
