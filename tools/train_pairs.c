/* Learns the tables of pairs by which the expert bot judges; tools/train_pairs.py compiles it with a profile's rules.
 *
 * Every position of games of the tables against themselves is drawn towards what follows from it: the mean, over all
 * cards that may come next, of the share of the win after the best answer. No luck of the cards is in that, so a
 * position teaches as much as thousands of outcomes would. A Python program would need days for it.
 *
 *   train_pairs learn POSITIONS SEED FILE COLOURS...   writes the weights, floats in the order of Tables
 *   train_pairs ends COLOURS...                        prints positions of random games and the ends of a card
 *
 * COLOURS are sets such as 02 or 013 (red 0 .. green 3), one of which is taken for each game.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
#include "rules.h" /* PAWNS, FORTH, BACK, DOOR, SLIDE_END, SWEPT, DECK, CARDS and the switches; from rules/tables.py */

#define HOME 66
#define OUTER 60
#define MOST_ENDS 200
#define SLOTS 73  /* 67 places as red sees them, then the second to fourth pawn in Start, then those Home */
#define STRAY 0.1 /* how often a move of the games is any move */
#define TRACE 0.97 /* what is left of an error one position earlier */
#define FIRST_RATE 0.32 /* shared out among the weights of a seat */
#define LAST_RATE 0.006
#define LONGEST 2000 /* cards of a game; the few longer ones are given up */

typedef struct {
    u8 cells[16];
    int8_t turn, winner;
} Position;

typedef struct {
    float singles[2][SLOTS];           /* of a seat on turn, and of another */
    float own[2][SLOTS * SLOTS];       /* two pawns of one seat, the earlier slot first */
    float cross[3][3][SLOTS * SLOTS];  /* by how many colours on the other is; who is on turn: I, the other, neither */
    float trios[SLOTS * (SLOTS + 1) * (SLOTS + 2) / 6]; /* three pawns of one seat, as trio() numbers them */
} Tables;

static int seats, colour[4], cell_count;
static Tables tables;

/* -- chance: xorshift128+ from a seed spread by splitmix64 ------------------------------------------------------- */

static uint64_t chance_state[2];

static uint64_t chance(void) {
    uint64_t a = chance_state[0], b = chance_state[1];
    chance_state[0] = b;
    a ^= a << 23;
    chance_state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return chance_state[1] + b;
}

static int below(int n) { return (int)((chance() >> 32) * (uint64_t)n >> 32); }

static void seed_chance(uint64_t seed) {
    for (int i = 0; i < 2; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        chance_state[i] = z ^ (z >> 31);
    }
}

/* -- the rules, as in rules/fast/core.py; the profiles know no slide that an own pawn forbids -------------------- */

static void send_back(u8 *cells, int place) {
    for (int i = 0; i < cell_count; i++)
        if (cells[i] == place) {
            cells[i] = 0;
            return;
        }
}

static void slide(u8 *cells, int seat, int pawn) {
    int from = cells[pawn], end = SLIDE_END[colour[seat]][from];
    if (!end) return;
    for (const u8 *swept = SWEPT[colour[seat]][from]; *swept; swept++) send_back(cells, *swept);
    cells[pawn] = (u8)end;
}

static void land(u8 *cells, int seat, int pawn, int place) {
    if (place <= OUTER) send_back(cells, place);
    cells[pawn] = (u8)place;
    if (place <= OUTER) slide(cells, seat, pawn);
}

static void sort_row(u8 *row) {
    for (int i = 1; i < PAWNS; i++)
        for (int j = i; j && row[j - 1] > row[j]; j--) {
            u8 moved = row[j];
            row[j] = row[j - 1];
            row[j - 1] = moved;
        }
}

static int stands(const u8 *own, int place) {
    for (int i = 0; i < PAWNS; i++)
        if (own[i] == place) return 1;
    return 0;
}

static int free_for(const u8 *own, int place) { return place == HOME || (place < HOME && !stands(own, place)); }

static int on_track(int place) { return 0 < place && place <= OUTER; }

static void add_end(Position *found, int *count, Position end) {
    for (int i = 0; i < seats; i++) sort_row(end.cells + i * PAWNS);
    for (int i = 0; i < *count; i++)
        if (!memcmp(found[i].cells, end.cells, (size_t)cell_count)) return;
    found[(*count)++] = end;
}

/* Every distinct end of the card for the seat on turn; returns how many. */
static int ends(const Position *before, int card, Position *found) {
    int seat = before->turn, c = colour[seat], lo = seat * PAWNS, count = 0, onward = 0;
    const u8 *own = before->cells + lo;
    Position end;
    if (card == 13) {
        for (int p = 0; SORRY_FORWARD && p < PAWNS; p++)
            if (free_for(own, FORTH[c][4][own[p]])) {
                end = *before;
                land(end.cells, seat, lo + p, FORTH[c][4][own[p]]);
                add_end(found, &count, end);
            }
        if (own[0] == 0)
            for (int i = 0; i < cell_count; i++)
                if ((i < lo || i >= lo + PAWNS) && on_track(before->cells[i])) {
                    end = *before;
                    end.cells[lo] = end.cells[i];
                    end.cells[i] = 0;
                    slide(end.cells, seat, lo);
                    add_end(found, &count, end);
                }
    } else {
        int door = DOOR[c][card];
        if (door && own[0] == 0 && !stands(own, door)) {
            end = *before;
            land(end.cells, seat, lo, door);
            add_end(found, &count, end);
            onward = 1;
        }
        for (int p = 0; card != 4 && p < PAWNS; p++)
            if (free_for(own, FORTH[c][card][own[p]])) {
                end = *before;
                land(end.cells, seat, lo + p, FORTH[c][card][own[p]]);
                add_end(found, &count, end);
                onward = 1;
            }
        for (int p = 0; card == 7 && p < PAWNS; p++)
            for (int part = 1; own[p] && part < 7; part++)
                if (free_for(own, FORTH[c][part][own[p]])) {
                    Position half = *before;
                    land(half.cells, seat, lo + p, FORTH[c][part][own[p]]);
                    for (int q = 0; q < PAWNS; q++) {
                        int place = FORTH[c][7 - part][half.cells[lo + q]];
                        if (q == p || own[q] == HOME || !free_for(half.cells + lo, place)) continue;
                        end = half;
                        land(end.cells, seat, lo + q, place);
                        add_end(found, &count, end);
                    }
                }
        for (int p = 0; card == 11 && p < PAWNS; p++)
            for (int i = 0; on_track(own[p]) && i < cell_count; i++)
                if ((i < lo || i >= lo + PAWNS) && on_track(before->cells[i])) {
                    end = *before;
                    end.cells[lo + p] = before->cells[i];
                    end.cells[i] = own[p];
                    slide(end.cells, seat, lo + p);
                    add_end(found, &count, end);
                }
        for (int p = 0; (card == 4 || card == 10) && p < PAWNS; p++) {
            int place = BACK[c][card == 4 ? 4 : 1][own[p]];
            if (place < HOME && !stands(own, place)) {
                end = *before;
                land(end.cells, seat, lo + p, place);
                add_end(found, &count, end);
            }
        }
    }
    int following = card == 2 && TWO_DRAWS_AGAIN ? seat : (seat + 1) % seats;
    for (int i = 0; i < count; i++) {
        int won = found[i].cells[lo] == HOME; /* rows are sorted */
        found[i].turn = (int8_t)(won ? seat : following);
        found[i].winner = (int8_t)(won ? seat : -1);
    }
    if (!count || (card == 11 && !onward)) {
        found[count] = *before;
        for (int i = 0; i < seats; i++) sort_row(found[count].cells + i * PAWNS);
        found[count++].turn = (int8_t)following;
    }
    return count;
}

/* -- the evaluation, as in bots/pairs.py -------------------------------------------------------------------------- */

static void slots_of(const u8 *row, int c, u8 *slots) {
    int starts = 0, homes = 0;
    for (int p = 0; p < PAWNS; p++) {
        int place = row[p];
        if (place == 0)
            slots[p] = (u8)(starts++ ? HOME + starts - 1 : 0);
        else if (place == HOME)
            slots[p] = (u8)(homes++ ? HOME + 3 + homes - 1 : HOME);
        else
            slots[p] = (u8)(place > OUTER ? place : 1 + (place - 1 + OUTER - 15 * c) % OUTER);
    }
    sort_row(slots);
}

/* The number of three slots in ascending order, of all such threes. */
static int trio(int x, int y, int z) { return x + y * (y + 1) / 2 + z * (z + 1) * (z + 2) / 6; }

/* Adds up each seat's score; with `steps` moves each weight that had a part in it by its seat's step instead. */
static void scores(const Position *at, double *found, const float *steps) {
    u8 slots[4][4];
    for (int i = 0; i < seats; i++) slots_of(at->cells + i * PAWNS, colour[i], slots[i]);
    for (int i = 0; i < seats; i++) {
        int turned = i != at->turn;
        float step = steps ? steps[i] : 0;
        double score = 0;
        for (int p = 0; p < PAWNS; p++) {
            float *single = &tables.singles[turned][slots[i][p]];
            score += *single += step;
            for (int q = p + 1; q < PAWNS; q++) {
                float *pair = &tables.own[turned][slots[i][p] * SLOTS + slots[i][q]];
                score += *pair += step;
                for (int r = q + 1; r < PAWNS; r++) {
                    float *three = &tables.trios[trio(slots[i][p], slots[i][q], slots[i][r])];
                    score += *three += step;
                }
            }
        }
        for (int j = 0; j < seats; j++) {
            if (j == i || (seats == 2 && turned)) continue; /* of two, the seat on turn has it all */
            float *table = tables.cross[(colour[j] - colour[i] + 4) % 4 - 1][!turned ? 0 : j == at->turn ? 1 : 2];
            for (int p = 0; p < PAWNS; p++)
                for (int q = 0; q < PAWNS; q++) {
                    float *pair = &table[slots[i][p] * SLOTS + slots[j][q]];
                    score += *pair += step;
                }
        }
        found[i] = score;
    }
}

/* How many weights make up a score. */
static int parts(void) {
    return PAWNS + PAWNS * (PAWNS - 1) / 2 + PAWNS * (PAWNS - 1) * (PAWNS - 2) / 6 + (seats - 1) * PAWNS * PAWNS;
}

static void shares(const Position *at, double *found) {
    double total = 0, score[4];
    if (at->winner >= 0) {
        for (int i = 0; i < seats; i++) found[i] = i == at->winner;
        return;
    }
    scores(at, score, NULL);
    for (int i = 0; i < seats; i++) total += found[i] = exp(score[i] - score[0]);
    for (int i = 0; i < seats; i++) found[i] /= total;
}

/* The end that is best for a seat, and the shares there. */
static int best_end(const Position *found, int count, int seat, double *best) {
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        double these[4];
        shares(&found[i], these);
        if (chosen < 0 || these[seat] > best[seat]) {
            chosen = i;
            memcpy(best, these, sizeof these);
        }
    }
    return chosen;
}

static void sit_down(int sets, char **colours) {
    const char *set = colours[below(sets)];
    seats = (int)strlen(set);
    cell_count = seats * PAWNS;
    for (int i = 0; i < seats; i++) colour[i] = set[i] - '0';
}

static int drawn(void) {
    int number = below(CARDS), card = 0;
    while (number >= DECK[card][1]) number -= DECK[card++][1];
    return card;
}

/* One game, of which each position is noted with what was wrong about it; returns how many there are. The error found
 * at a position counts, weaker and weaker, for those before it too, unless a stray move led there. */
static int play_game(Position *noted, double (*wrong)[4]) {
    static Position found[11][MOST_ENDS];
    Position at = {{0}, (int8_t)below(seats), -1};
    int steps = 0, strayed[LONGEST];
    while (at.winner < 0 && steps < LONGEST) {
        int count[11], best[11];
        double due[4] = {0}, now[4];
        for (int card = 0; card < 11; card++) {
            double after[4];
            count[card] = ends(&at, DECK[card][0], found[card]);
            best[card] = best_end(found[card], count[card], at.turn, after);
            for (int i = 0; i < seats; i++) due[i] += DECK[card][1] * after[i] / CARDS;
        }
        shares(&at, now);
        for (int i = 0; i < seats; i++) wrong[steps][i] = due[i] - now[i];
        noted[steps] = at;
        int card = drawn();
        strayed[steps] = (double)(chance() >> 11) * 0x1p-53 < STRAY;
        at = found[card][strayed[steps] ? below(count[card]) : best[card]];
        steps++;
    }
    for (int k = steps - 2; k >= 0; k--)
        for (int i = 0; i < seats && !strayed[k]; i++) wrong[k][i] += TRACE * wrong[k + 1][i];
    return steps;
}

static void learn(long positions, int sets, char **colours) {
    static Position noted[LONGEST];
    static double wrong[LONGEST][4];
    long told = 0;
    double squares = 0;
    for (long done = 0; done < positions;) {
        sit_down(sets, colours);
        int steps = play_game(noted, wrong);
        double rate = FIRST_RATE * pow(LAST_RATE / FIRST_RATE, (double)done / (double)positions) / parts();
        for (int k = 0; k < steps; k++) {
            double score[4];
            float change[4];
            for (int i = 0; i < seats; i++) change[i] = (float)(rate * wrong[k][i]);
            scores(&noted[k], score, change);
            squares += wrong[k][0] * wrong[k][0];
        }
        done += steps;
        if (done - told >= positions / 10) {
            fprintf(stderr, "%ld positions, wrong by %.4f\n", done, sqrt(squares / (double)(done - told)));
            squares = 0;
            told = done;
        }
    }
}

static void print_cells(const Position *at) {
    for (int i = 0; i < cell_count; i++) printf("%d,", at->cells[i]);
    printf("%d,%d", at->turn, at->winner);
}

static void print_ends(int sets, char **colours) {
    Position found[MOST_ENDS];
    for (int game = 0; game < 10; game++) {
        sit_down(sets, colours);
        for (int i = 0; i < seats; i++) putchar('0' + colour[i]);
        putchar('\n');
        Position at = {{0}, (int8_t)below(seats), -1};
        for (int k = 0; k < 300 && at.winner < 0; k++) {
            int card = drawn(), count = ends(&at, DECK[card][0], found);
            print_cells(&at);
            printf(" %d", DECK[card][0]);
            for (int i = 0; i < count; i++) {
                putchar(' ');
                print_cells(&found[i]);
            }
            putchar('\n');
            at = found[below(count)];
        }
    }
}

int main(int argc, char **argv) {
    seed_chance(argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
    if (argc > 2 && !strcmp(argv[1], "ends")) {
        print_ends(argc - 2, argv + 2);
        return 0;
    }
    if (argc < 6 || strcmp(argv[1], "learn")) return 2;
    learn(atol(argv[2]), argc - 5, argv + 5);
    FILE *file = fopen(argv[4], "wb");
    return !file || fwrite(&tables, sizeof tables, 1, file) != 1 || fclose(file);
}
