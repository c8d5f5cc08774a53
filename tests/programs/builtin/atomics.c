#include <stdatomic.h>
#include <stdio.h>
static atomic_int counter;
static _Atomic unsigned long long wide = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(struct { int a, b; }) pair;
static atomic_bool ready;
static _Atomic double real = 1.5;
static int *_Atomic pointer;
int main(void) {
    atomic_store(&counter, 10);
    printf("%d ", atomic_fetch_add(&counter, 5));
    printf("%d ", atomic_fetch_sub(&counter, 3));
    printf("%d ", atomic_fetch_or(&counter, 0x30));
    printf("%d ", atomic_fetch_and(&counter, 0x3f));
    printf("%d ", atomic_fetch_xor(&counter, 0xff));
    printf("%d ", atomic_exchange(&counter, 77));
    printf("%d\n", atomic_load_explicit(&counter, memory_order_relaxed));
    int expected = 76;
    int ok = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d ", ok, expected);
    ok = atomic_compare_exchange_strong(&counter, &expected, 1);
    printf("%d %d %d\n", ok, expected, counter);
    while (!atomic_compare_exchange_weak(&counter, &expected, 2)) {
    }
    counter++;
    counter -= 7;
    counter *= 3;
    printf("%d\n", counter);
    wide += 1ULL << 40;
    wide++;
    printf("%llu\n", wide);
    printf("%d%d", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    ready = 1;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    real = real + 2;
    real *= 2;
    printf("%d %g\n", ready, real);
    int arr[4] = {1, 2, 3, 4};
    pointer = arr;
    pointer++;
    printf("%d %td\n", *pointer, atomic_fetch_add(&pointer, 1) - arr);
    unsigned char c = 250;
    printf("%d ", __atomic_add_fetch(&c, 10, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_nand(&c, 3, __ATOMIC_RELAXED));
    printf("%d ", c);
    short s = 5;
    printf("%d %d\n", __atomic_exchange_n(&s, -1, __ATOMIC_ACQ_REL), s);
    long l = 1;
    printf("%ld ", __sync_fetch_and_add(&l, 2));
    printf("%ld ", __sync_add_and_fetch(&l, 2));
    printf("%d ", __sync_bool_compare_and_swap(&l, 5, 9));
    printf("%ld ", __sync_val_compare_and_swap(&l, 5, 1));
    __sync_synchronize();
    printf("%ld\n", __sync_lock_test_and_set(&l, 3));
    int m = 5;
    printf("%d %d\n", __atomic_fetch_max(&m, 9, __ATOMIC_RELAXED),
           __atomic_fetch_min(&m, -2, __ATOMIC_RELAXED));
    printf("%d %d\n", m, atomic_is_lock_free(&counter));
    long copy;
    __atomic_load(&l, &copy, __ATOMIC_ACQUIRE);
    printf("%ld\n", copy);
    return 0;
}
