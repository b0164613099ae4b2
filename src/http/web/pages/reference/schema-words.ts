/** Describes a schema in words, for the reference page. */
import { WITHOUT_NUL } from '../../../api/description/schema-parts.ts'
import { type Html, html } from '../../html.ts'

/** The JSON Schema keywords used in our documents. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
}

/** Describes a value's type. Named schemas become links. */
export function schemaWords(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(nameOf(schema.$ref))
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values) return joined(values.map((value) => html`<code>${JSON.stringify(value)}</code>`))
  const variants = schema.anyOf ?? (schema.properties ? undefined : schema.oneOf)
  if (variants) return joined(variants.map(schemaWords))
  if (schema.items) return html`list of ${schemaWords(schema.items)}`
  const [members] = Object.values(schema.patternProperties ?? {})
  if (members) return html`object whose members are ${schemaWords(members)}`
  if (schema.properties) return html`object: ${membersWords(schema.properties)}`
  return html`${TYPES[schema.type ?? ''] ?? 'anything'}${limits(schema)}`
}

function membersWords(properties: Readonly<Record<string, Schema>>): Html {
  return joined(
    Object.entries(properties).map(([name, schema]) => html`<code>${name}</code> (${schemaWords(schema)})`),
    ', ',
  )
}

function limits({ format, pattern, maxLength, minimum, maximum }: Schema): Html {
  return html`${format && html`, <i>${format}</i>`}${maxLength !== undefined && `, at most ${maxLength} characters`}${
    minimum !== undefined && (maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`)
  }${pattern && !format && patternWords(pattern)}`
}

function patternWords(pattern: string): Html {
  return pattern === WITHOUT_NUL ? html`, without <code>U+0000</code>` : html`, <code>${pattern}</code>`
}

function joined(parts: readonly Html[], between = ' or '): Html {
  return html`${parts.map((part, index) => html`${index > 0 && between}${part}`)}`
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

function schemaLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`
}
