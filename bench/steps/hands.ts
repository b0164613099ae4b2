/** A person's browser and shell, whose steps are counted. */
import type { Locator, Page } from 'playwright-core'
import type { Ran } from '../../test/support/command-line.ts'

export interface Steps {
  /** documents that the window loads, and answers of commands */
  readonly pages: number
  readonly fields: number
  /** clicks, chosen options, keys that act or paste, and the key that sends a command */
  readonly clicks: number
  /** words between blanks, typed into fields and commands; pasted text has none */
  readonly words: number
}

/** Returns the sum of all steps. */
export function sumOf({ pages, fields, clicks, words }: Steps): number {
  return pages + fields + clicks + words
}

/** A person's hands. They count their steps, beginning with the open page. */
export interface Hands {
  /** @param keys held at the same time, such as `Shift` */
  click(what: Locator, keys?: readonly 'Shift'[]): Promise<void>
  /** @param keys such as `g n`: a sequence counts as one, like a chord */
  press(keys: string): Promise<void>
  type(where: Locator, text: string): Promise<void>
  paste(where: Locator, text: string): Promise<void>
  choose(where: Locator, option: string): Promise<void>
  /** Types a command of this program. @param words after `overdue` */
  command(...words: readonly string[]): Promise<Ran>
  count(): Steps
}

/** @param run runs a command of this program to its end */
export function handsOn(page: Page, run: (words: readonly string[]) => Promise<Ran>): Hands {
  const steps = { pages: 0, fields: 0, clicks: 0, words: 0 }
  page.on('domcontentloaded', () => {
    steps.pages += 1
  })
  return {
    async click(what, keys = []) {
      steps.clicks += 1
      await what.click({ modifiers: [...keys] })
    },
    async press(keys) {
      steps.clicks += 1
      for (const key of keys.split(' ')) await page.keyboard.press(key)
    },
    async type(where, text) {
      steps.fields += 1
      steps.words += wordsIn(text)
      await where.fill(text)
    },
    async paste(where, text) {
      steps.fields += 1
      steps.clicks += 1
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await where.focus()
      await page.keyboard.press('ControlOrMeta+V')
    },
    async choose(where, option) {
      steps.fields += 1
      steps.clicks += 1
      await where.selectOption(option)
    },
    command(...words) {
      steps.pages += 1
      steps.clicks += 1
      steps.words += wordsIn(`overdue ${words.join(' ')}`)
      return run(words)
    },
    count: () => ({ ...steps }),
  }
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
