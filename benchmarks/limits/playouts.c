/* Random games in plain C on plain arrays: a yardstick for the native engine, written by hand.

   No bit sets and no tables of moves. Each function plays so many games and gives the
   decisions that were made; a decision among one thing draws nothing, as in the engine, and numbers
   are drawn in the same way. Where a piece is chosen that cannot move, another one is drawn. */
#include <stdint.h>
#include <string.h>

static uint64_t seed;
static long decisions;

static int draw(int n) {
    decisions++;
    if (n <= 1) return 0;
    for (;;) {
        seed += 0x9E3779B97F4A7C15u;
        uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        uint64_t product = (z >> 32) * (uint64_t)n;
        if ((uint32_t)product >= (uint32_t)n || (uint32_t)product >= (uint32_t)(-(uint32_t)n) % n)
            return (int)(product >> 32);
    }
}

/* Boards have a border of squares that belong to nobody, so that no step leaves the array. */
enum { FREE = -1, BORDER = 9 };

static int squares[128]; /* of the board that is played on, without the border */
static int steps[8];     /* to the neighbours of a square; opposites are four apart */

static void lay_out(int width, int height) {
    int row = width + 2;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) squares[y * width + x] = (y + 1) * row + x + 1;
    int there[8] = {1, row + 1, row, row - 1, -1, -row - 1, -row, -row + 1};
    memcpy(steps, there, sizeof steps);
}

static void clear(int8_t *board, int size, int count) {
    memset(board, BORDER, size);
    for (int k = 0; k < count; k++) board[squares[k]] = FREE;
}

/* How many squares of an owner lie in a row from a square on, without it. */
static int run(const int8_t *board, int at, int step, int owner) {
    int found = 0;
    while (board[at += step] == owner) found++;
    return found;
}

static int in_line(const int8_t *board, int at, int wanted) {
    for (int d = 0; d < 4; d++)
        if (1 + run(board, at, steps[d], board[at]) + run(board, at, steps[d + 4], board[at]) >= wanted)
            return 1;
    return 0;
}

static int listed(const int8_t *board, int count, int owner, int *to) {
    int n = 0;
    for (int k = 0; k < count; k++) {
        to[n] = squares[k];
        n += board[squares[k]] == owner;
    }
    return n;
}

static void tic_tac_toe(void) {
    int8_t board[25];
    clear(board, 25, 9);
    for (int turn = 0; turn < 9; turn++) {
        int to[10], n = listed(board, 9, FREE, to), at = to[draw(n)];
        board[at] = turn & 1;
        if (in_line(board, at, 3)) return;
    }
}

static void connect_four(void) {
    int8_t board[72];
    int lowest[7];
    clear(board, 72, 42);
    memcpy(lowest, squares, sizeof lowest);
    for (int turn = 0; turn < 42; turn++) {
        int open[7], n = 0;
        for (int c = 0; c < 7; c++) {
            open[n] = c;
            n += lowest[c] < 63;
        }
        int column = open[draw(n)], at = lowest[column];
        lowest[column] += 9;
        board[at] = turn & 1;
        if (in_line(board, at, 4)) return;
    }
}

/* How many enemies are enclosed in a direction. */
static int enclosed(const int8_t *board, int at, int step, int me) {
    int found = run(board, at, step, me ^ 1);
    return board[at + (found + 1) * step] == me ? found : 0;
}

static int plays(const int8_t *board, int me, int *to) {
    int n = 0;
    for (int k = 0; k < 64; k++)
        if (board[squares[k]] == FREE)
            for (int d = 0; d < 8; d++)
                if (enclosed(board, squares[k], steps[d], me)) {
                    to[n++] = squares[k];
                    break;
                }
    return n;
}

static void reversi(void) {
    int8_t board[100];
    clear(board, 100, 64);
    board[squares[28]] = board[squares[35]] = 0, board[squares[27]] = board[squares[36]] = 1;
    for (int me = 0, passed = 0;; me ^= 1) {
        int to[64], n = plays(board, me, to);
        if (!n && passed) return;
        draw(1); /* to place, or to pass */
        passed = !n;
        if (!n) continue;
        int at = to[draw(n)];
        for (int d = 0; d < 8; d++)
            for (int k = enclosed(board, at, steps[d], me); k > 0; k--) board[at + k * steps[d]] = me;
        board[at] = me;
    }
}

static void breakthrough(void) {
    int8_t board[100];
    int men[2] = {16, 16};
    clear(board, 100, 64);
    for (int k = 0; k < 16; k++) board[squares[k]] = 0, board[squares[48 + k]] = 1;
    for (int me = 0;; me ^= 1) {
        int own[65], n = listed(board, 64, me, own), to[3], m = 0, from = 0;
        while (!m) {
            int k = draw(n);
            from = own[k];
            for (int dx = -1; dx <= 1; dx++) {
                int at = from + dx + (me ? -10 : 10);
                if (board[at] == FREE || (dx && board[at] == (me ^ 1))) to[m++] = at;
            }
            if (!m) own[k] = own[--n], decisions--;
        }
        int at = to[draw(m)];
        men[me ^ 1] -= board[at] != FREE;
        board[at] = me, board[from] = FREE;
        if (at / 10 == (me ? 1 : 8) || !men[me ^ 1]) return;
    }
}

static int open_squares(const int8_t *board, int from, int *to) {
    int n = 0;
    for (int d = 0; d < 8; d++)
        for (int at = from + steps[d]; board[at] == FREE; at += steps[d]) to[n++] = at;
    return n;
}

static void amazons(void) {
    int8_t board[144];
    static const int starts[2][4] = {{30, 3, 6, 39}, {60, 93, 96, 69}};
    clear(board, 144, 100);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 4; k++) board[squares[starts[side][k]]] = side;
    for (int me = 0;; me ^= 1) {
        int own[101], n = listed(board, 100, me, own), to[40], m = 0, from = 0;
        while (!m) {
            if (!n) return;
            int k = draw(n);
            from = own[k], m = open_squares(board, from, to);
            if (!m) own[k] = own[--n], decisions--;
        }
        int at = to[draw(m)];
        board[from] = FREE, board[at] = me;
        m = open_squares(board, at, to);
        board[to[draw(m)]] = 2;
    }
}

static void (*const games[])(void) = {tic_tac_toe, connect_four, reversi, breakthrough, amazons};
static const int sizes[][2] = {{3, 3}, {7, 6}, {8, 8}, {8, 8}, {10, 10}};

long play(int game, long count, uint64_t from) {
    seed = from, decisions = 0;
    lay_out(sizes[game][0], sizes[game][1]);
    for (long k = 0; k < count; k++) games[game]();
    return decisions;
}
