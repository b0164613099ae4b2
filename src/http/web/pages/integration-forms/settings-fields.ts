/** The form fields for an integration's settings. */
import { HIDDEN } from '../../../../domain/carrier/header-lines.ts'
import type { Choice, SettingField } from '../../../../domain/channel/setting-fields.ts'
import { type Mistakes, removalOf, type Typed } from '../../../../domain/channel/typed-settings.ts'
import type { Form } from '../../form.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { areaField, type Field, firstBad, selectField, switchField, textField } from '../../parts/forms/fields.ts'
import { ZONE_LIST } from '../../parts/forms/zone-list.ts'
import { bdi, sentence } from '../../parts/words/text.ts'

/** Prefix for the names of setting fields, because a setting might have the same name as another field in the form. */
const PREFIX = 'set-'
/** Prefix for the names of switches that remove a secret. */
const REMOVE = 'remove-'

interface ShownSettings {
  readonly fields: readonly SettingField[]
  readonly typed: Typed
  readonly mistakes: Mistakes
  /** names of the settings that have a stored secret, which is kept if the field is left empty */
  readonly kept: readonly string[]
}

export function readTyped(form: Form, fields: readonly SettingField[]): Typed {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => [
      [name, typedIn(form, PREFIX + name, kind)] as const,
      ...(form.has(REMOVE + name) ? [[removalOf(name), 'on'] as const] : []),
    ]),
  )
}

function typedIn(form: Form, name: string, kind: SettingField['kind']): string {
  if (kind.type === 'several') return form.list(name).join(',')
  return form.text(name)
}

/**
 * Renders the fields. The page has to contain a `zoneList`. Fields with the same heading are grouped. Fields that few users need are
 * collapsed, unless they contain a value.
 */
export function settingsFields(shown: ShownSettings): Html[] {
  const focus = firstBad(
    shown.fields.map(({ name }) => name),
    shown.mistakes,
  )
  const drawn = (fields: readonly SettingField[]) =>
    runs(fields, ({ section }) => section).map((some) => {
      const controls = some.map((field) => control(field, shown, field.name === focus))
      const title = some[0]?.section ?? ''
      if (title === '') return html`<div class="form">${controls}</div>`
      return html`<fieldset class="form part-of"><legend>${title}</legend>${controls}</fieldset>`
    })
  return runs(shown.fields, ({ isAdvanced }) => isAdvanced).flatMap((some) => {
    if (some[0]?.isAdvanced !== true) return drawn(some)
    const isOpen = some.some((field) => isInUse(field, shown))
    return html`<details class="advanced"${isOpen && ' open'}><summary>Advanced</summary><div class="form">${drawn(some)}</div></details>`
  })
}

function isInUse({ name, initial }: SettingField, { typed, mistakes, kept }: ShownSettings): boolean {
  return mistakes[name] !== undefined || kept.includes(name) || (typed[name] ?? '') !== initial
}

/** Groups consecutive items that have the same key. */
function runs<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly (readonly Item[])[] {
  const found: Item[][] = []
  for (const item of items) {
    const last = found.at(-1)
    if (last?.[0] !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item)
    else found.push([item])
  }
  return found
}

function control(field: SettingField, shown: ShownSettings, hasFocus: boolean): Html {
  const { name, title, kind, isSecret } = field
  const value = shown.typed[name] ?? ''
  const isKept = shown.kept.includes(name)
  const help = helpOf(field, isKept)
  const common: Field = { name: PREFIX + name, label: title, help, error: shown.mistakes[name], hasFocus }
  switch (kind.type) {
    case 'switch':
      return switchField({ ...common, isOn: value === 'on' })
    case 'choice':
      return selectField({ ...common, value, options: kind.options.map(({ text, words }) => [text, words] as const) })
    case 'several':
      return several(common, kind.options, new Set(value.split(',')))
    case 'headers':
    case 'list':
      return areaField({ ...common, value, rows: 3, isCode: true })
    case 'number':
      return textField({ ...common, value, isCode: true })
    case 'text':
      if (isSecret) return secretField(common, field, isKept, shown.typed)
      if (kind.isZone) return textField({ ...common, value, isCode: true, list: ZONE_LIST })
      if (kind.lines > 1) return areaField({ ...common, value, rows: kind.lines, isCode: true })
      return textField({ ...common, value, isCode: true })
  }
}

/** Renders the field for a secret. The page never contains the stored secret. */
function secretField(common: Field, { name, isOptional }: SettingField, isKept: boolean, typed: Typed): Html {
  const input = textField({ ...common, type: 'password', isCode: true, autocomplete: 'new-password' })
  if (!isKept || !isOptional) return input
  const removal = switchField({
    name: REMOVE + name,
    label: 'Remove the stored value',
    isOn: typed[removalOf(name)] === 'on',
  })
  return html`${input}${removal}`
}

function helpOf({ description, example, kind, docs }: SettingField, isKept: boolean): HtmlValue {
  const words = [
    ...(isKept ? ['A value is stored. Leave this empty to keep it, or type a new value.'] : []),
    ...(description === '' ? [] : [sentence(description)]),
    ...(example === '' ? [] : [`For example, ${example}.`]),
    ...(kind.type === 'headers'
      ? [`Most values are hidden after they are saved. If you leave ${HIDDEN} unchanged, the stored value is kept.`]
      : []),
  ]
  const link =
    docs !== '' &&
    html`<a href="${docs}" rel="noreferrer">${docs.replace(/^https:\/\/(?:www\.)?|\/$/g, '')}</a> explains it.`
  if (words.length === 0 && link === false) return undefined
  return html`${words.join(' ')} ${link}`
}

function several(
  { name, label, help, error, hasFocus = false }: Field,
  options: readonly Choice[],
  on: ReadonlySet<string>,
): Html {
  const boxes = options.map(
    ({ text, words }, index) =>
      html`<label class="pick"><input type="checkbox" role="switch" class="switch" name="${name}" value="${text}"${on.has(text) && html` checked`}${hasFocus && index === 0 && html` autofocus`}><span>${bdi(words)}</span></label>`,
  )
  const below = error === undefined ? html`<p class="help">${help}</p>` : html`<p class="err">${error}</p>`
  return html`<fieldset class="field"><legend>${label}</legend><div class="picks">${boxes}</div>${below}</fieldset>`
}
