/** The system's Chromium, headless. `CHROMIUM` is its path where that isn't `/usr/bin/chromium`. */
import { type Browser, chromium } from 'playwright-core'

/** @param words more arguments for Chromium */
export function openBrowser(words: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...words] })
}
