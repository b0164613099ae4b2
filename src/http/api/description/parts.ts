/** Types for the subset of OpenAPI that we use (OpenAPI 3.1.1, section 4.8). */
import { Text, type TObject, type TSchema } from '../../../domain/schema.ts'

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
  /** examples, keyed by name */
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
  /** parameter values, keyed by name; a value is a runtime expression or a constant */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** headers, keyed by name */
  readonly headers?: Readonly<Record<string, Reference>>
  /** content, keyed by media type */
  readonly content?: Readonly<Record<string, MediaType>>
  /** links, keyed by name */
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
  /** responses, keyed by status code */
  readonly responses: Readonly<Record<string, Answer | Reference>>
}

export type PathItem = Readonly<Partial<Record<Method, Operation>>>
/** Operations, keyed by path template. */
export type Paths = Readonly<Record<string, PathItem>>

export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

export function headerRefs(...names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function answerRef(name: string): Reference {
  return { $ref: `#/components/responses/${name}` }
}

const parameterIn =
  (place: 'path' | 'query') =>
  (name: string, description: string, schema: TSchema, examples: Readonly<Record<string, unknown>>): Parameter => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
    examples: named(examples),
  })
export const pathParameter = parameterIn('path')
export const queryParameter = parameterIn('query')

/**
 * Converts the query schema of a route to OpenAPI parameters.
 * @param examples each parameter's example values, keyed by summary
 */
export function queryParameters<Schema extends TObject>(
  { properties }: Schema,
  examples: Readonly<Record<keyof Schema['properties'], Readonly<Record<string, unknown>>>>,
): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...queryParameter(name, schema.description ?? '', schema, examples[name] ?? {}),
    ...(schema.type === 'array' ? { explode: true } : {}),
  }))
}

/** @param examples example values, keyed by summary */
export function json(schema: MediaType['schema'], examples: Readonly<Record<string, unknown>>): Answer['content'] & {} {
  return { 'application/json': { schema, examples: named(examples) } }
}

/** @param texts example strings, keyed by summary */
export function plainText(
  description: string,
  texts: Readonly<Record<string, string>>,
  headers?: Answer['headers'],
): Answer {
  const content = { 'text/plain': { schema: Text(), examples: named(texts) } }
  return { description, ...(headers ? { headers } : {}), content }
}

/** Derives a name for each example from its summary. The names do not need to be escaped in URLs. */
export function named(examples: Readonly<Record<string, unknown>>): Readonly<Record<string, Example>> {
  const entries = Object.entries(examples).map(
    ([summary, value]) => [summary.replace(/[^A-Za-z0-9]+/g, '-'), { summary, value }] as const,
  )
  return Object.fromEntries(entries)
}
