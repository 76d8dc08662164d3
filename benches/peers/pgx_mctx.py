"""Self-play of Pgx + mctx on one core of the processor: positions a second, to compare with raja.

A Gumbel search (`mctx.gumbel_muzero_policy`) over the exact rules (`pgx`), with a residual network whose
normalisations are folded into biases, all of it one compiled JAX function: what the two libraries can do at
their best, without a learner. Weights are random, which does not change the time. See README.md here.
"""

import argparse
import os
import time

# One core, before JAX counts them.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import mctx
import pgx


def convolve(board, kernel, bias):
    """A 3x3 or 1x1 convolution of `[batch, rows, columns, channels]` that keeps the board's size."""
    sums = jax.lax.conv_general_dilated(
        board, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return sums + bias


def new_network(key, planes, cells, actions, blocks, channels):
    """Random weights: a tower of `blocks` residual blocks, a policy of all actions, a value."""
    keys = iter(jax.random.split(key, 2 * blocks + 8))

    def layer(size, taps=3):
        fan_in = taps * taps * size[0]
        kernel = jax.random.normal(next(keys), (taps, taps, *size)) * (2.0 / fan_in) ** 0.5
        return kernel, jnp.zeros(size[1])

    def dense(size):
        return jax.random.normal(next(keys), size) * (1.0 / size[0]) ** 0.5, jnp.zeros(size[1])

    return {
        "input": layer((planes, channels)),
        "blocks": [(layer((channels, channels)), layer((channels, channels))) for _ in range(blocks)],
        "policy": layer((channels, 2), taps=1),
        "logits": dense((2 * cells, actions)),
        "value": layer((channels, 1), taps=1),
        "hidden": dense((cells, channels)),
        "score": dense((channels, 1)),
    }


def evaluate(network, observation):
    """Logits `[batch, actions]` and scores `[batch]`, from -1 to 1, of the side to move."""
    relu = jax.nn.relu
    trunk = relu(convolve(observation.astype(jnp.float32), *network["input"]))
    for first, second in network["blocks"]:
        trunk = relu(convolve(relu(convolve(trunk, *first)), *second) + trunk)
    flat = lambda name: relu(convolve(trunk, *network[name])).reshape(trunk.shape[0], -1)
    linear = lambda inputs, name: inputs @ network[name][0] + network[name][1]
    score = jnp.tanh(linear(relu(linear(flat("value"), "hidden")), "score"))
    return linear(flat("policy"), "logits"), score[:, 0]


def legal(logits, mask):
    """The logits of legal actions, and a very small one for the others."""
    return jnp.where(mask, logits - logits.max(axis=-1, keepdims=True), jnp.finfo(logits.dtype).min)


def play(env, batch, simulations, considered):
    """A function that plays one ply in each of `batch` games, with a search for each."""
    step = jax.vmap(env.step)

    def recurrent(network, key, action, state):
        del key
        mover = state.current_player
        state = step(state, action)
        logits, value = evaluate(network, state.observation)
        reward = state.rewards[jnp.arange(batch), mover]
        over = state.terminated
        return mctx.RecurrentFnOutput(
            reward=reward,
            discount=jnp.where(over, 0.0, jnp.where(state.current_player == mover, 1.0, -1.0)),
            prior_logits=legal(logits, state.legal_action_mask),
            value=jnp.where(over, 0.0, value),
        ), state

    def ply(network, key, state):
        search_key, reset_key = jax.random.split(key)
        logits, value = evaluate(network, state.observation)
        root = mctx.RootFnOutput(
            prior_logits=legal(logits, state.legal_action_mask), value=value, embedding=state
        )
        found = mctx.gumbel_muzero_policy(
            params=network,
            rng_key=search_key,
            root=root,
            recurrent_fn=recurrent,
            num_simulations=simulations,
            invalid_actions=~state.legal_action_mask,
            qtransform=mctx.qtransform_completed_by_mix_value,
            max_num_considered_actions=considered,
        )
        state = step(state, found.action)
        fresh = jax.vmap(env.init)(jax.random.split(reset_key, batch))
        over = state.terminated | state.truncated
        choose = lambda a, b: jnp.where(over.reshape(-1, *[1] * (a.ndim - 1)), a, b)
        return jax.tree_util.tree_map(choose, fresh, state)

    return ply


def best_rate(call, work, seconds):
    """`work` over the processor seconds of the quickest call in `seconds`."""
    jax.block_until_ready(call())
    best, start = float("inf"), time.monotonic()
    while time.monotonic() - start < seconds:
        before = time.process_time()
        jax.block_until_ready(call())
        best = min(best, time.process_time() - before)
    return work / best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("env", help="such as connect_four, othello (8x8) or hex (11x11)")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--considered", type=int, default=16)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--plies", type=int, default=4, help="plies a call")
    parser.add_argument("--seconds", type=float, default=20, help="for how long each figure is taken")
    options = parser.parse_args()

    env = pgx.make(options.env)
    batch = options.batch
    state = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))
    _, rows, columns, planes = state.observation.shape
    network = new_network(
        jax.random.PRNGKey(1), planes, rows * columns, env.num_actions, options.blocks, options.channels
    )
    ply = play(env, batch, options.simulations, options.considered)

    @jax.jit
    def plies(key, state):
        body = lambda index, state: ply(network, jax.random.fold_in(key, index), state)
        return jax.lax.fori_loop(0, options.plies, body, state)

    def go_on(games={"state": state, "calls": 0}):
        games["calls"] += 1
        games["state"] = plies(jax.random.PRNGKey(games["calls"]), games["state"])
        return games["state"]

    alone = jax.jit(lambda observation: evaluate(network, observation))
    evaluations = best_rate(lambda: alone(state.observation), batch, options.seconds)
    positions = best_rate(go_on, batch * options.plies, options.seconds)
    size = f"{options.blocks}x{options.channels}"
    print(f"{options.env} ({rows}x{columns}, {planes} planes, {env.num_actions} actions), {size}, batch {batch}")
    print(f"network alone: {evaluations:.0f} evaluations/s")
    print(f"self-play, {options.simulations} simulations: {positions:.0f} positions/s")
    print(f"simulations over evaluations of the network alone: {positions * options.simulations / evaluations:.2f}")


if __name__ == "__main__":
    main()
