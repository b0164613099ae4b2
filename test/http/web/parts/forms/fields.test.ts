import { describe, expect, test } from 'bun:test'
import { firstBad, selectField, switchField, textField } from '../../../../../src/http/web/parts/forms/fields.ts'

const EVIL = `"><script>'`
const ESCAPED = '&quot;&gt;&lt;script&gt;&#39;'

describe('a field', () => {
  test('has its label and its help', () => {
    expect(textField({ name: 'email', label: 'Email', type: 'email', help: 'To sign in.' }).text).toBe(
      '<div class="field"><label for="email">Email</label><input class="in" id="email" name="email" type="email" autocomplete="off" value="" spellcheck="false" autocapitalize="none" aria-describedby="email-help"><p class="help" id="email-help">To sign in.</p></div>',
    )
  })

  test('with an error says so in place of the help, and has the focus if it is the first', () => {
    const { text } = textField({ name: 'name', label: 'Name', help: 'Any.', error: 'It is empty.', hasFocus: true })
    expect(text).toContain(' aria-invalid="true" aria-describedby="name-error" autofocus>')
    expect(text).toContain('<p class="err" id="name-error">')
    expect(text).toContain('<span>It is empty.</span>')
    expect(text).not.toContain('Any.')
  })

  test('keeps what was typed, escaped, but never a password', () => {
    expect(textField({ name: 'name', label: EVIL, value: EVIL, error: EVIL }).text).not.toContain('<script>')
    expect(textField({ name: 'name', label: 'Name', value: EVIL }).text).toContain(`value="${ESCAPED}"`)
    expect(textField({ name: 'secret', label: 'Password', type: 'password', value: 'hunter22' }).text).not.toMatch(
      /hunter22|value=/,
    )
  })

  test('has only the attributes that it was given', () => {
    const { text } = textField({
      name: 'a',
      label: 'A',
      isRequired: true,
      maxLength: 5,
      zone: 'if-empty',
      list: 'zones',
    })
    expect(text).toContain(' required maxlength="5" list="zones" data-zone="if-empty">')
    expect(textField({ name: 'a', label: 'A' }).text).not.toMatch(/required|maxlength|list=|data-zone|aria-|autofocus/)
  })
})

test('a choice shows the chosen option', () => {
  const options = [
    ['system', 'As the system'],
    ['dark', 'Dark'],
  ] as const
  expect(selectField({ name: 'theme', label: 'Theme', value: 'dark', options }).text).toContain(
    '<option value="system">As the system</option><option value="dark" selected>Dark</option>',
  )
})

test('a switch is on or off', () => {
  expect(switchField({ name: 'a', label: 'A', isOn: true }).text).toContain(
    'value="on" class="switch" role="switch" checked>',
  )
  expect(switchField({ name: 'a', label: 'A', isOn: false }).text).not.toContain('checked')
})

test('the first bad field is the first in the order of the form', () => {
  expect(firstBad(['a', 'b', 'c'], { c: 'wrong', b: 'wrong' })).toBe('b')
  expect(firstBad(['a'], { other: 'wrong' })).toBeNull()
})
