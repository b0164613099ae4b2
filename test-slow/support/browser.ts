/** The system's Chromium, headless. `CHROMIUM` is its path where that isn't `/usr/bin/chromium`. */
import { type Browser, chromium } from 'playwright-core'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
}
