/** Form fields for a channel's settings, derived from the schema of its kind. Typed values are strings. */
import type { TObject, TSchema } from '../schema.ts'

export interface SettingField {
  /** name of the property in the schema */
  readonly name: string
  readonly title: string
  /** help text below the field; '' for none */
  readonly description: string
  /** an example value; '' for none */
  readonly example: string
  /** heading of the field's section; '' for none */
  readonly section: string
  /** true: most users don't need the field */
  readonly isAdvanced: boolean
  /** URL of a page that explains the format; '' for none */
  readonly docs: string
  /** false: if the field is empty, the form submits an empty string */
  readonly isOptional: boolean
  /** true: the stored value is a secret and never shown */
  readonly isSecret: boolean
  /** true: the field contains the URL of a server that Overdue connects to */
  readonly isAddress: boolean
  /** name of the field whose value is used while this one is empty; '' for none */
  readonly defaultsTo: string
  /** the field's value in a new form; `on` for a switch that is on */
  readonly initial: string
  readonly kind: FieldKind
}

type FieldKind =
  /** a text field. `isNumeric`: whole numbers are stored as numbers */
  | { readonly type: 'text'; readonly lines: number; readonly isNumeric: boolean; readonly isZone: boolean }
  | { readonly type: 'number' }
  | { readonly type: 'switch' }
  | { readonly type: 'choice'; readonly options: readonly Choice[] }
  /** any number of comma-separated options */
  | { readonly type: 'several'; readonly options: readonly Choice[] }
  /** a list of strings, one per line */
  | { readonly type: 'list' }
  /** headers, one `Name: value` per line */
  | { readonly type: 'headers' }

export interface Choice {
  /** value that the form submits; '' selects the receiver's default */
  readonly text: string
  readonly value: unknown
  readonly words: string
}

/** Returns the form fields in the order of the schema. */
export function settingFields({ properties, required = [] }: TObject): readonly SettingField[] {
  return Object.entries(properties)
    .filter(([, schema]) => schema.isUnasked !== true)
    .map(([name, schema]) => settingField(name, schema, !required.includes(name)))
}

function settingField(name: string, schema: TSchema, isOptional: boolean): SettingField {
  const { title = name, description = '', examples = [], section = '', docs = '', defaultsTo = '' } = schema
  const { isSecret = false, isAddress = false, isAdvanced = false } = schema
  const kind = kindOf(schema, isOptional)
  const example = String(examples[0] ?? '')
  const initial = initialOf(schema, kind)
  const words = { title, description, example, section, docs }
  return { name, ...words, isAdvanced, isOptional, isSecret, isAddress, defaultsTo, initial, kind }
}

function kindOf(schema: TSchema, isOptional: boolean): FieldKind {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  const types = variants.map(({ type }) => type)
  if (variants.length > 0 && variants.every((variant) => variant.const !== undefined)) {
    return { type: 'choice', options: choices(schema, isOptional) }
  }
  if (schema.type === 'boolean') return { type: 'switch' }
  if (schema.type === 'array') return { type: 'list' }
  if (schema.type === 'object') return { type: 'headers' }
  if (schema.type === 'integer' || (types.includes('integer') && types.includes('null'))) return { type: 'number' }
  const isZone = schema.format === 'timezone'
  return { type: 'text', lines: schema.lines ?? 1, isNumeric: types.includes('integer'), isZone }
}

function choices({ anyOf = [], default: initial }: TSchema, isOptional: boolean): readonly Choice[] {
  const named = anyOf.map(({ const: value, title }: TSchema): Choice => {
    const text = String(value)
    return { text, value, words: title ?? text.charAt(0).toUpperCase() + text.slice(1) }
  })
  return isOptional && initial === undefined ? [{ text: '', value: undefined, words: 'Default' }, ...named] : named
}

function initialOf({ default: initial }: TSchema, kind: FieldKind): string {
  if (kind.type === 'switch') return initial === true ? 'on' : ''
  if (kind.type === 'choice') return String(initial ?? kind.options[0]?.text ?? '')
  return kind.type === 'headers' || kind.type === 'list' ? '' : String(initial ?? '')
}
