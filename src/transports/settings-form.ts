/** Converts a channel's settings to values of its form, and finds the secrets in them. */

import { isSecretHeader } from '../domain/carrier/header-lines.ts'
import { settingFields } from '../domain/channel/setting-fields.ts'
import type { SettingValues } from '../domain/channel/typed-settings.ts'
import { fits, type TObject, type TSchema } from '../domain/schema.ts'
import { valueForm } from './parts/value-form.ts'
import type { OperatorSettings, SettingsForm, Transport } from './transport.ts'

export function formOf({ form, settings }: Pick<Transport, 'form' | 'settings'>): SettingsForm {
  if (form !== undefined) return form
  if (!isObject(settings)) return valueForm<TSchema>(settings, (value) => value)
  return { fields: settings, toFields: recordOf, toSettings: (values) => values }
}

function isObject(schema: TSchema): schema is TObject {
  return schema.type === 'object'
}

function recordOf(value: unknown): SettingValues {
  return typeof value === 'object' && value !== null ? (value as SettingValues) : {}
}

/** Returns stored settings as form values. For settings that do not fit the schema, returns the parts that can be read. */
export function storedFields(transport: Transport, settings: unknown): SettingValues {
  return fits(transport.settings, settings) ? formOf(transport).toFields(settings) : recordOf(settings)
}

/**
 * Returns the secrets in a channel's settings: tokens, keys, secret URLs and header values. If the settings do not fit the schema, returns
 * all texts in them.
 */
function secretsOf(transport: Transport, settings: unknown): readonly string[] {
  if (!fits(transport.settings, settings)) return textsIn(settings)
  const form = formOf(transport)
  const values = form.toFields(settings)
  return settingFields(form.fields).flatMap(({ name, kind, isSecret }) => {
    if (kind.type === 'headers') {
      return Object.entries(recordOf(values[name])).flatMap(([header, value]) =>
        isSecretHeader(header) ? textsIn(value) : [],
      )
    }
    return isSecret ? textsIn(values[name]) : []
  })
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Object.values(recordOf(value)).flatMap(textsIn)
}

/**
 * Adds the operator's secrets: tokens, accounts and private servers. Switches, numbers and the name of the mail server are not secret.
 * @param operator the operator's settings
 */
export function allSecrets(transport: Transport, settings: unknown, operator: OperatorSettings): readonly string[] {
  const set = Object.entries(operator).flatMap(([name, value]) =>
    name === 'EMAIL_HOST' || /^(?:True|False|\d{1,6})$/.test(value) ? [] : [value],
  )
  return [...secretsOf(transport, settings), ...set]
}
