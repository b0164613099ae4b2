/**
 * Limits the memory of messages under way. Small messages are limited by the number of connections. Large ones need one of a
 * few slots; without a free slot, the client is asked to try again later.
 */
import { Rejection } from './rejection.ts'

export interface MemoryLimits {
  /** maximum bytes of a message */
  readonly messageBytes: number
  /** maximum bytes of a small message */
  readonly smallMessageBytes: number
  /** large messages at once */
  readonly largeMessages: number
}

export class MessageMemory {
  readonly #limits: MemoryLimits
  #slots: number

  constructor(limits: MemoryLimits) {
    this.#limits = limits
    this.#slots = limits.largeMessages
  }

  /**
   * Reads a message to its end, even a rejected one, and keeps its memory until `use` has finished.
   * @param mostBytes limit for this message, if lower than the general one
   * @throws Rejection for a message that is too large, gets no slot or is incomplete; what `use` throws
   */
  async receive<Result>(
    pieces: AsyncIterable<Uint8Array>,
    mostBytes: number,
    use: (message: Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    const message = new Incoming(this.#limits, Math.min(mostBytes, this.#limits.messageBytes), this)
    try {
      await message.read(pieces)
      return await use(message.end())
    } finally {
      message.release()
    }
  }

  /** @returns false when all slots are taken */
  takeSlot(): boolean {
    if (this.#slots === 0) return false
    this.#slots -= 1
    return true
  }

  releaseSlot(): void {
    this.#slots += 1
  }
}

/** One incoming message. */
class Incoming {
  readonly #limits: MemoryLimits
  readonly #memory: MessageMemory
  #collected: ByteCollector
  #hasSlot = false
  #rejection: Rejection | null = null

  constructor(limits: MemoryLimits, mostBytes: number, memory: MessageMemory) {
    this.#limits = limits
    this.#memory = memory
    this.#collected = new ByteCollector(mostBytes)
  }

  async read(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) this.#add(piece)
    } catch (cause) {
      throw new Rejection(451, 'the message is incomplete', { cause })
    }
  }

  #add(piece: Uint8Array): void {
    if (this.#rejection) return
    const isSmall = this.#collected.length + piece.length <= this.#limits.smallMessageBytes
    if (!isSmall && !this.#hasSlot) this.#hasSlot = this.#memory.takeSlot()
    if (!isSmall && !this.#hasSlot) this.#reject(new Rejection(451, 'too many large messages at once, try again later'))
    else if (!this.#collected.add(piece)) this.#reject(new Rejection(552, 'the message is too large'))
  }

  /** @throws Rejection */
  end(): Uint8Array {
    if (this.#rejection) throw this.#rejection
    return this.#collected.bytes()
  }

  release(): void {
    if (this.#hasSlot) this.#memory.releaseSlot()
    this.#hasSlot = false
  }

  #reject(rejection: Rejection): void {
    this.#rejection = rejection
    this.#collected = new ByteCollector(0)
    this.release()
  }
}

const FIRST_CAPACITY = 16 * 1024

/** Collects chunks of bytes into one array, so that one-byte chunks take no more memory than large ones. */
class ByteCollector {
  #bytes = new Uint8Array(FIRST_CAPACITY)
  #length = 0

  /** @param limit maximum number of bytes */
  constructor(readonly limit: number) {}

  get length(): number {
    return this.#length
  }

  /** @returns false, without adding any of it, when the piece exceeds the limit */
  add(piece: Uint8Array): boolean {
    const length = this.#length + piece.length
    if (length > this.limit) return false
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(piece, this.#length)
    this.#length = length
    return true
  }

  /** All bytes so far; a view that is valid until more are added. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const capacity = Math.min(Math.max(needed, this.#bytes.length * 2), this.limit)
    const larger = new Uint8Array(capacity)
    larger.set(this.bytes())
    this.#bytes = larger
  }
}
