/** The form field for a mute's reason. */
import { REASON_LIMIT } from '../../../../domain/silence/silence.ts'
import type { Form } from '../../form.ts'
import type { Html } from '../../html.ts'
import { areaField, type FieldErrors } from '../../parts/forms/fields.ts'
import { MUTE } from '../../parts/mute.ts'

const CHARACTERS = `${REASON_LIMIT.toLocaleString('en')} characters`

export function reasonField(value: string, error: string | undefined): Html {
  const help = `Explains to others why there are no alerts. Optional, at most ${CHARACTERS}.`
  return areaField({ name: MUTE.reason, label: 'Reason', value, rows: 2, error, help })
}

export function readReason(form: Form): string {
  return form.text(MUTE.reason).replaceAll('\r\n', '\n').trim()
}

export function reasonErrors(reason: string): FieldErrors {
  return [...reason].length > REASON_LIMIT ? { reason: `This is too long: use at most ${CHARACTERS}.` } : {}
}
