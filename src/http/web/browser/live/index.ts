/** What keeps open pages up to date. */
import './stream.ts'
import './indicator.ts'
import './numbers.ts'
import './rows.ts'
import './parts.ts'
