/** Form fields. The label is above the control, and the help is below it. An error message replaces the help. */
import { type Html, type HtmlValue, html } from '../../html.ts'
import { stateShape } from '../words/states.ts'

/** Error messages by field name. */
export type FieldErrors = Readonly<Record<string, string>>

export interface Field {
  readonly name: string
  readonly label: string
  readonly help?: HtmlValue
  /** error message: the problem and how to fix it */
  readonly error?: string | undefined
  /** true if the field gets the focus: the first field with an error, or the first field in a new form */
  readonly hasFocus?: boolean
  /** true if the script updates the part below the field while the user types, see {@link belowHtml} */
  readonly isLive?: boolean
  /** how the server interprets the value; displayed above the help or the error */
  readonly reading?: HtmlValue
}

interface TextField extends Field {
  readonly type?: 'text' | 'date' | 'email' | 'password' | 'search' | 'number'
  /** the typed or stored value; never set it for a password */
  readonly value?: string
  /** value of the `autocomplete` attribute, such as `current-password`; `off` by default */
  readonly autocomplete?: string
  readonly isRequired?: boolean
  /** maximum length in UTF-16 code units */
  readonly maxLength?: number
  /** `if-empty` makes the script fill in the browser's time zone */
  readonly zone?: 'if-empty'
  /** id of a list of suggestions */
  readonly list?: string
  /** true if the value is machine-readable, in which case phone keyboards must not autocorrect it */
  readonly isCode?: boolean
  /** fixed text at the start of the field */
  readonly prefix?: string
  /** name of another field that the script derives this slug from, until the user edits the slug */
  readonly slugOf?: string
}

/**
 * Returns the name of the first field with an error, which should get the focus; null if there are no errors.
 * @param names field names, in display order
 */
export function firstBad<Name extends string>(names: readonly Name[], errors: FieldErrors): Name | null {
  return names.find((name) => errors[name] !== undefined) ?? null
}

/**
 * Returns the label and the error of the first field with an error; null if there are no errors.
 * @param names field names, in display order
 */
export function firstMistake<Name extends string>(
  names: readonly Name[],
  labelOf: (name: Name) => string,
  errors: FieldErrors,
): string | null {
  const name = firstBad(names, errors)
  return name && `${labelOf(name)}: ${errors[name]}`
}

export function textField(field: TextField): Html {
  const {
    name,
    type = 'text',
    value = '',
    autocomplete = 'off',
    isRequired,
    maxLength,
    zone,
    list,
    slugOf,
    prefix,
  } = field
  const input = html`<input class="${field.isCode ? 'in mono' : 'in'}" id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${
    type !== 'password' && html` value="${value}"`
  }${isRequired && html` required`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${
    list !== undefined && html` list="${list}"`
  }${zone && html` data-zone="${zone}"`}${slugOf && html` data-slug-of="${slugOf}"`}${(field.isCode || isCode(type, name)) && UNCORRECTED}${common(field)}>`
  if (prefix === undefined) return labelled(field, input)
  return labelled(field, html`<div class="prefixed"><span>${prefix}</span>${input}</div>`)
}

/** Renders a field for multi-line text. */
export function areaField(
  field: Field & { readonly value: string; readonly rows: number; readonly isCode?: boolean },
): Html {
  const { name, value, rows, isCode } = field
  // HTML ignores a line break at the start of a text area, so an extra one is added.
  const area = html`<textarea${isCode && html` class="mono"`} id="${name}" name="${name}" rows="${rows}"${isCode && UNCORRECTED}${common(field)}>
${value}</textarea>`
  return labelled(field, area)
}

/** Renders a drop-down list. @param options each option's value and text, in display order */
export function selectField(
  field: Field & { readonly value: string; readonly options: readonly (readonly [value: string, words: string])[] },
): Html {
  const options = field.options.map(
    ([value, words]) => html`<option value="${value}"${value === field.value && html` selected`}>${words}</option>`,
  )
  return labelled(field, html`<select id="${field.name}" name="${field.name}"${common(field)}>${options}</select>`)
}

interface Switch extends Field {
  /** true if the switch is on, in which case the browser submits `on` */
  readonly isOn: boolean
}

/** Renders a switch that is on or off. */
export function switchField(field: Switch): Html {
  const { name, label, isOn } = field
  const input = html`<input type="checkbox" id="${name}" name="${name}" value="on" class="switch" role="switch"${isOn && html` checked`}${common(field)}>`
  return html`<div class="field"><label class="pick" for="${name}">${input}${label}</label>${below(field)}</div>`
}

/** Renders a hidden field. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

export function hiddenFields(pairs: readonly (readonly [name: string, value: string])[]): readonly Html[] {
  return pairs.map(([name, value]) => hiddenField(name, value))
}

/** Renders a control below its label, with its help or error. */
export function labelled(field: Field, control: Html): Html {
  return html`<div class="field"><label for="${field.name}">${field.label}</label>${control}${field.isLive ? belowHtml(field) : below(field)}</div>`
}

/** Renders the part below a field whose help and error change while the user types. */
export function belowHtml(field: Omit<Field, 'label'>): Html {
  return html`<div class="below" id="${field.name}-below">${field.reading}${below(field)}</div>`
}

/** Returns the attributes that a control needs for its help, error and focus. */
export function common({ name, help, error, hasFocus, isLive }: Omit<Field, 'label'>): Html {
  const part = isLive ? 'below' : error !== undefined ? 'error' : help !== undefined && 'help'
  const describedBy = part && `${name}-${part}`
  return html`${error !== undefined && html` aria-invalid="true"`}${describedBy && html` aria-describedby="${describedBy}"`}${hasFocus && html` autofocus`}`
}

function below({ name, help, error }: Omit<Field, 'label'>): HtmlValue {
  if (error !== undefined) {
    return html`<p class="err" id="${name}-error">${stateShape('down')}<span>${error}</span></p>`
  }
  return help !== undefined && html`<p class="help" id="${name}-help">${help}</p>`
}

const UNCORRECTED = html` spellcheck="false" autocapitalize="none"`

/** Returns whether a field's value is machine-readable, in which case phone keyboards must not autocorrect it. */
function isCode(type: string, name: string): boolean {
  return type === 'email' || name === 'tz'
}
