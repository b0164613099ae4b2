import { expect, test } from 'bun:test'
import { sectionsOf } from '../../src/help/sections.ts'

test('a section is a heading and the plain text below it, up to the next heading', () => {
  const text = `Before.

# Backups

One *copy* a day, see [the list](settings.md).

## In a container?

- \`A\` and
- B

\`\`\`sh
cp <a> b
\`\`\`

| Name | Value |
|---|---|
| \`X\` | 1 |
`
  expect(sectionsOf(text)).toEqual([
    { anchor: '', title: '', level: 1, text: 'Before.' },
    { anchor: 'backups', title: 'Backups', level: 1, text: 'One copy a day, see the list.' },
    { anchor: 'in-a-container', title: 'In a container?', level: 2, text: 'A and B cp <a> b Name Value X 1' },
  ])
})

test('a text without headings is one section, and an empty one is none', () => {
  expect(sectionsOf('Only\u0000 this.')).toEqual([{ anchor: '', title: '', level: 1, text: 'Only this.' }])
  expect(sectionsOf('')).toEqual([])
})
